import { ipcMain, type WebFrameMain } from 'electron'
import type { z } from 'zod'
import { WINDOW_ORIGIN } from './app-scheme.ts'

/** A frame that is embedded, or that has gone to another address, asks nothing of the desktop. */
function isOwnPage(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.origin === WINDOW_ORIGIN
}

/** A message of the page, acted on where its sender is the window's own page and it is what the schema says; else it is dropped. */
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

/** The same, with an answer. What is refused is told so, and not why. */
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
