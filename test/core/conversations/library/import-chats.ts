import { createLibrary } from '../../../../src/core/conversations/library/index.ts'
import { createStore } from '../../../../src/core/storage/index.ts'

/** The time of each import. */
const NOW = Date.UTC(2026, 10, 29)

/** Imports JSON values, one in each line, into a new store. */
export async function importChats(...values: readonly unknown[]) {
  const store = createStore({ folder: null, key: new Uint8Array(32), now: () => NOW })
  const library = createLibrary(store, () => NOW)
  const id = library.beginImport()
  await library.importPiece(id, values.map((value) => JSON.stringify(value)).join('\n'))
  const report = library.endImport(id, false)
  const chats = store.conversations.list().map(({ id: chat, title, model, createdAt, systemPrompt }) => ({
    title,
    model,
    createdAt,
    systemPrompt,
    messages: store.messages.of(chat),
  }))
  return { report, chats: chats.toSorted((a, b) => a.createdAt - b.createdAt) }
}

export const texts = (chat: { messages: readonly { role: string; text: string }[] } | undefined) =>
  chat?.messages.map(({ role, text }) => `${role}: ${text}`)
