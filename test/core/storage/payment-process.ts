// Puts payments through their states, and saves files, until it is killed. Prints one line for each write that returned: `id state`.
import { createStore } from '../../../src/core/storage/index.ts'
import { KEY } from './examples.ts'
import { chunks, payment } from './payment-examples.ts'

const [folder = ''] = process.argv.slice(2)
const store = createStore({ folder, key: KEY, now: Date.now })
for (let number = 1; ; number += 1) {
  const id = String(number)
  const body = Buffer.alloc(20_000, `${id} `)
  const first = payment(id, { state: 'quoted', at: number })
  if (first.purpose.kind !== 'request') throw new Error('It is no request.')
  const request = { ...first.purpose.request, body }
  for (const state of ['quoted', 'paying', 'paid'] as const) {
    store.payments.put({ ...first, state, purpose: { ...first.purpose, request } })
    process.stdout.write(`${id} ${state}\n`)
  }
  await store.deliveredFiles.save(id, 0, chunks(body, 3_000))
  process.stdout.write(`${id} saved\n`)
  store.payments.put({
    ...first,
    state: 'delivered',
    purpose: { ...first.purpose, request: { ...request, body: new Uint8Array(0) } },
  })
  process.stdout.write(`${id} delivered\n`)
}
