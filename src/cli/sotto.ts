import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { overwriteOnFree } from '../host/restart.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** The entry of the command. bin/sotto.cjs starts it if npm installed it. */
keepInspectorClosed()
// Other commands end before a lock could matter.
if (process.argv.includes('serve') || process.argv.includes('open')) overwriteOnFree()
keepCompiledCode()
await import('./index.ts')
