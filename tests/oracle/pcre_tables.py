"""Makes regex/src/tables.rs from tables.txt, which pcre_tables.erl asks of a real Erlang/OTP 25:

    erlc pcre_tables.erl && erl -noshell -eval 'pcre_tables:main(), halt().' && python3 pcre_tables.py > tables.rs
"""
import sys
cats=[];scripts=[];ext=[];cn=[];cases=[];snames=[]
CN="Cc Cf Cn Co Cs Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs".split()
flip={}
for l in open('tables.txt'):
    f=l.split()
    if f[0]=='scripts': snames=f[1:]
    elif f[0]=='cat': cats.append((int(f[2]),int(f[3]),CN.index(f[1])))
    elif f[0]=='script': scripts.append((int(f[2]),int(f[3]),f[1]))
    elif f[0]=='extend': ext.append((int(f[1]),int(f[2])))
    elif f[0]=='control_not': cn.append((int(f[1]),int(f[2])))
    elif f[0]=='case': cases.append((int(f[1]),eval(f[2])))
    elif f[0]=='flip': flip[int(f[1])]=eval(f[2])
snames=sorted(snames)
def starts(r,n,default):
    r.sort(); out=[];at=0
    for a,b,v in r:
        if a>at and not(at==0xd800 and a==0xe000): out.append((at,default))
        out.append((a,v)); at=b+1
    if at<0x110000: out.append((at,default))
    o=[]
    for a,v in out:
        if o and o[-1][1]==v: continue
        o.append((a,v))
    return o
c=starts(cats,30,CN.index('Cn'))
s=starts([(a,b,snames.index(v)) for a,b,v in scripts],0,snames.index('Common'))
sets=sorted(set(tuple(v) for k,v in cases if len(v)>2))
single=[(k,[x for x in v if x!=k][0]) for k,v in cases if len(v)==2]
d=dict(single); assert all(d[b]==a for a,b in single),[x for x in single if d.get(x[1])!=x[0]]
# runs of single: (start,end,stride,delta)
runs=[];i=0
single.sort()
while i<len(single):
    a,b=single[i];dl=b-a
    best=1;bs=1
    for st in (1,2):
        j=i
        n=1
        # next with same delta at stride
        idx={k:v for k,v in single[i:i+200]}
        while a+n*st in idx and idx[a+n*st]-(a+n*st)==dl: n+=1
        if n>best: best=n;bs=st
    # emit only if consecutive in the list
    if bs==2 and best>1:
        # alternating upper/lower: pairs (a,a+1): handle separately
        pass
    k=1
    while i+k<len(single) and single[i+k][0]==a+k and single[i+k][1]-single[i+k][0]==dl: k+=1
    if k==1 and dl==1:
        # alternating pairs
        m=0
        while i+2*m+1<len(single) and single[i+2*m]==(a+2*m,a+2*m+1) and single[i+2*m+1]==(a+2*m+1,a+2*m): m+=1
        if m>=1:
            runs.append((a,a+2*m-1,0)); i+=2*m; continue
    runs.append((a,a+k-1,dl)); i+=k
chk={}
for a,b,dl in runs:
    for x in range(a,b+1): chk[x]= (x+1 if (x-a)%2==0 else x-1) if dl==0 else x+dl
assert chk==d
def ctl(cn):
    out=[];at=0
    for a,b in sorted(cn):
        if a>at: out.append((at,a-1))
        at=b+1
    return [x for x in out if x!=(0xd800,0xdfff)]
def fmt(name,doc,ty,items,per):
    o=["/// %s"%doc,"#[rustfmt::skip]","pub(super) static %s: &[%s] = &["%(name,ty)]
    line="   "
    for it in items:
        if len(line)+len(it)+2>140: o.append(line); line="   "
        line+=" "+it+","
    o.append(line); o.append("];"); return "\n".join(o)
out=["//! Tables of Unicode 7.0, which PCRE 8.44 has. Made by `tests/oracle/pcre_tables.py` from what the `re` of Erlang/OTP 25 says of each character.",
"",
"/// Names of scripts, in order; a script is its place here.",
]
o=[fmt("SCRIPTS","Names of scripts, sorted; a script is its place here.","&str",['"%s"'%x for x in snames],8),
fmt("CATEGORY","Where a run of characters of one general category begins, times 32, and the category.","u32",["%d"%(a*32+v) for a,v in c],8),
fmt("SCRIPT","Where a run of characters of one script begins, times 128, and the script.","u32",["%d"%(a*128+v) for a,v in s],8),
fmt("EXTEND","Characters that never begin a cluster after another: marks and joiners.","(u32, u32)",["(%d, %d)"%x for x in ext],8),
fmt("CONTROL","Characters that stand alone whatever follows.","(u32, u32)",["(%d, %d)"%x for x in ctl(cn)],8),
fmt("OTHER_CASE","Runs of characters that have one other case: first, last, and how far away it is; 0: upper and lower follow each other in pairs.","(u32, u32, i32)",["(%d, %d, %d)"%x for x in runs],8),
fmt("CASE_SETS","Characters that are one another's cases, where they are more than two.","&[u32]",["&[%s]"%", ".join(map(str,x)) for x in sets],8)]
sys.stdout.write(out[0]+"\n\n"+"\n\n".join(o)+"\n")
