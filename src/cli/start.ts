import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** The entry of `npm start`. */
keepInspectorClosed()
keepCompiledCode()
await import('./window-or-tab.ts')
