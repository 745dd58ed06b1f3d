import { ipcMain, type IpcMainEvent, type WebFrameMain } from 'electron'
import type { z } from 'zod'
import { WINDOW_ORIGIN } from './app-scheme.ts'

/** An embedded frame, or one that navigated to another address, can't call the desktop. */
function isOwnPage(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.origin === WINDOW_ORIGIN
}

/**
 * Handles a message of the page if its sender is the window's own page and the schema accepts it; drops it
 * otherwise.
 */
export function listen<Message>(
  channel: string,
  schema: z.ZodType<Message>,
  act: (message: Message) => void,
): void {
  ipcMain.on(channel, ({ senderFrame }, message: unknown) => {
    const parsed = schema.safeParse(message)
    if (parsed.success && isOwnPage(senderFrame)) act(parsed.data)
  })
}

/**
 * Answers a call for which the preload waits, before the page runs. Only a window's main frame gets the answer. Its
 * address isn't checked, because the preload may run before it is known: the answer must not be secret.
 */
export function answerPreload(channel: string, reply: () => unknown): void {
  ipcMain.on(channel, (event: IpcMainEvent) => {
    event.returnValue = event.senderFrame?.parent === null ? reply() : null
  })
}

/** Handles a call of the page with a result. A refused call is rejected without a reason. */
export function answer<Message>(
  channel: string,
  schema: z.ZodType<Message>,
  reply: (message: Message) => Promise<unknown>,
): void {
  ipcMain.handle(channel, async ({ senderFrame }, message: unknown) => {
    const parsed = schema.safeParse(message)
    if (!parsed.success || !isOwnPage(senderFrame)) throw new Error('refused')
    return reply(parsed.data)
  })
}
