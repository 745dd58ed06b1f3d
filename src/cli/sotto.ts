import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** The entry of the command. bin/sotto.cjs starts it if npm installed it. */
keepInspectorClosed()
keepCompiledCode()
await import('./index.ts')
