import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** What `npm start` runs. */
keepInspectorClosed()
keepCompiledCode()
await import('./window-or-tab.ts')
