import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { overwriteOnFree } from '../host/restart.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** The entry of `npm start`. */
keepInspectorClosed()
overwriteOnFree()
keepCompiledCode()
await import('./window-or-tab.ts')
