// Makes a process of the tests ready sooner: V8 compiles PostgreSQL's WebAssembly quickly and does not optimize it.
// Most of these processes start, answer a few calls and end.
require('node:v8').setFlagsFromString('--liftoff-only')
