import { APP_ORIGIN, Caller } from '../src/core/core.ts'

/** The desktop's window, as its scheme authenticates it. */
export const windowCaller: Caller = Caller.fromAppPage(APP_ORIGIN)!
