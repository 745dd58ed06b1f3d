import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { chatRequests, PLAINTEXT_MODEL, startWorld } from '../../../world.ts'

it('a caller that goes away in mid-answer, without a word, ends the answer upstream', async () => {
  await using world = await startWorld()
  const { port } = new URL(world.baseUrl)
  const body = JSON.stringify({
    model: PLAINTEXT_MODEL,
    stream: true,
    messages: [{ role: 'user', content: 'Write 3000 words about rivers' }],
  })
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${world.key}\r\nContent-Type: application/json\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`,
  )
  await once(socket, 'data')
  socket.destroy()
  await expect.poll(() => chatRequests(world.sandbox).map(({ aborted }) => aborted)).toEqual([true])
  await expect.poll(() => world.sandbox.ledger().at(-1)?.aborted).toBe(true)
  await expect
    .poll(async () => ((await world.call('receipts/list', {})) as { outcome: string }[])[0]?.outcome)
    .toBe('cancelled')
})
