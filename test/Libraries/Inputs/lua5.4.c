#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

double program(const double *x) {
  lua_State *Lua = luaL_newstate();
  luaL_openlibs(Lua);
  luaL_loadstring(Lua, "local a, b = ... local s = 0 for i = 1, 5 do s = s + a * math.sin(i * b) end return s");
  lua_pushnumber(Lua, x[0]);
  lua_pushnumber(Lua, x[1]);
  lua_call(Lua, 2, 1);
  double Value = lua_tonumber(Lua, -1);
  lua_close(Lua);
  return Value;
}
