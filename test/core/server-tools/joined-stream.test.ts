import { expect, it } from 'vitest'
import { AnswerStreamReader, type AnswerPiece } from '../../../src/core/gateway/answer/index.ts'
import { AnswerSums } from '../../../src/core/server-tools/answer-sums.ts'
import { JoinedStream } from '../../../src/core/server-tools/joined-stream.ts'

async function* read(sse: string): AsyncGenerator<AnswerPiece, void> {
  const reader = new AnswerStreamReader({ usage: false, choices: 1 })
  yield await Promise.resolve(reader.push(Buffer.from(sse)))
  yield reader.end()
}

it('has the role of the reply, and no usage that the caller didn’t request, if each chunk states the usage', async () => {
  const chunks = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [] },
  ].map((chunk) => ({ ...chunk, usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 } }))
  let text = ''
  const joined = new JoinedStream({
    id: 'answer',
    usage: false,
    isServerTool: () => false,
    sums: new AnswerSums(),
    emit: (piece) => {
      text += piece.text
      return Promise.resolve()
    },
  })
  await joined.read({
    privacy: 'sealed',
    receiptId: 'receipt',
    model: 'private/model',
    contentType: 'text/event-stream',
    timing: { addedMs: 0, proofMs: undefined, sealMs: undefined },
    body: read(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`),
    receipt: () => undefined,
  })
  await joined.finish()
  expect(text).toContain('"delta":{"role":"assistant","content":""}')
  expect(text).toContain('"delta":{"content":"Hello"}')
  expect(text).not.toContain('usage')
})
