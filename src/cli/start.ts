import { keepCompiledCode } from './compile-cache.ts'

/** What `npm start` runs. */
keepCompiledCode()
await import('./window-or-tab.ts')
