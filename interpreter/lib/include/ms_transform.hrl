%% Makes match specifications of the funs given to ets:fun2ms/1 and dbg:fun2ms/1 when the module is compiled.
-compile({parse_transform, ms_transform}).
