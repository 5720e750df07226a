%% Includes nothing twice.
-ifdef(INCLUDE_HRL).
-else.
-define(GUARDED, never).
-endif.
