export { APP_ORIGIN, Caller } from './caller.ts'
export { WindowSessions, type WindowSession } from './window-sessions.ts'
