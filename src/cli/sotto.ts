import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { overwriteOnFree } from '../host/restart.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** The entry of the command. bin/sotto.cjs starts it if npm installed it. */
keepInspectorClosed()
// Without the name of a command, it is `serve`. Other commands end before a lock could matter.
const [command = 'serve'] = process.argv.slice(2)
if (command === 'serve' || command === 'open' || command.startsWith('-')) overwriteOnFree()
keepCompiledCode()
await import('./index.ts')
