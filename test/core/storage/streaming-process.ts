// Writes an answer until it is killed. Prints the conversation's id once some of the answer is in the store.
import { createStore } from '../../../src/core/storage/index.ts'
import { KEY, receipt } from './examples.ts'

const store = createStore({ folder: process.argv[2] ?? '', key: KEY, now: Date.now })
const { id: conversationId } = store.conversations.create({ title: 'T', private: true, model: 'm' })
store.messages.add({ conversationId, role: 'user', text: 'Why?', state: 'complete' })
const { id } = store.messages.add({ conversationId, role: 'assistant', text: '', state: 'streaming' })
let text = ''
for (let at = 0; ; at++) {
  text += 'word '
  store.messages.update(id, { text })
  store.receipts.put(receipt(`r-${at}`))
  if (at === 600) process.stdout.write(`${conversationId}\n`)
}
