import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'
import type { Conversation, Message } from '../../../src/shared/conversation.ts'
import { OPEN, PRIVATE, scriptedWorld } from '../../scripted-world.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import { windowCaller } from '../../window-caller.ts'

async function ask(
  world: World,
  path: 'chat/send' | 'chat/regenerate',
  input: object,
): Promise<{
  events: ChatEvent[]
  error: unknown
  answer: Message
  conversation: Conversation
  question: Message
}> {
  const response = await world.core.api(
    new Request(`http://sotto.invalid/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: input }),
    }),
    windowCaller,
  )
  const events: ChatEvent[] = []
  let error: unknown
  for (const [, name, data] of (await response.text()).matchAll(
    /^event: (\w+)\n(?:[a-z]+: .*\n)*?data: (.+)$/gm,
  )) {
    const { json } = JSON.parse(data!) as { json: ChatEvent | null }
    if (name === 'error') error = json
    else if (json) events.push(json)
  }
  const started = events.find((event) => event.type === 'started')
  const ended = events.find((event) => event.type === 'ended')
  return {
    events,
    error,
    answer: ended?.answer as Message,
    conversation: started?.conversation as Conversation,
    question: started?.userMessage as Message,
  }
}
const messagesOf = async (world: World, conversationId: string) =>
  ((await world.call('conversations/get', { conversationId })) as { messages: Message[] }).messages

describe('unusual replies of a service', () => {
  const scripted = scriptedWorld()
  const answerWith = (...events: readonly unknown[]) => {
    scripted.script = (_, answer) => {
      answer.begin({ 'content-type': 'text/event-stream' })
      for (const event of events) answer.write(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
      answer.end(Buffer.from('data: [DONE]\n\n'))
    }
  }
  const delta = (part: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta: part, finish_reason }],
  })

  it.each([OPEN, PRIVATE])(
    '%s: sources and calls are saved, and included in a branch and an export',
    async (model) => {
      answerWith(
        delta({ content: 'It rains.' }),
        delta({
          annotations: [
            {
              type: 'url_citation',
              url_citation: {
                url: 'https://weather.example/turin',
                title: 'Turin',
                content: 'Rain',
                start_index: 0,
                end_index: 9,
              },
            },
            { type: 'url_citation', url_citation: { url: 'javascript:alert(1)', title: 'x' } },
          ],
        }),
        delta({
          tool_calls: [{ index: 0, id: 'c', function: { name: 'get_weather', arguments: '{"city":' } }],
        }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '"Turin"}' } }] }, 'tool_calls'),
      )
      const { events, answer, conversation } = await ask(scripted.world, 'chat/send', {
        model,
        text: 'Weather?',
      })
      expect(events.filter(({ type }) => type === 'calling')).toEqual([
        { type: 'calling', name: 'get_weather' },
      ])
      const parts = {
        citations: [{ url: 'https://weather.example/turin', title: 'Turin', excerpt: 'Rain', marks: [9] }],
        toolCalls: [{ id: 'c', name: 'get_weather', arguments: '{"city":"Turin"}' }],
        end: 'tool-calls',
      }
      expect(answer).toMatchObject({ state: 'complete', text: 'It rains.', ...parts })
      expect((await messagesOf(scripted.world, conversation.id)).at(-1)).toMatchObject(parts)
      const fork = (await scripted.world.call('conversations/fork', { conversationId: conversation.id })) as {
        messages: Message[]
      }
      expect(fork.messages.at(-1)).toMatchObject(parts)
    },
  )

  it('a reply with only a call is complete, and the call is not sent back as if it had run', async () => {
    answerWith(
      delta(
        { tool_calls: [{ index: 0, id: 'c', function: { name: 'get_weather', arguments: '{}' } }] },
        'tool_calls',
      ),
    )
    const { answer, conversation } = await ask(scripted.world, 'chat/send', { model: OPEN, text: 'Weather?' })
    expect(answer).toMatchObject({
      state: 'complete',
      text: '',
      toolCalls: [{ name: 'get_weather' }],
      end: 'tool-calls',
    })
    let sent: unknown
    scripted.script = ({ plain }, answering) => {
      sent = JSON.parse(plain.toString('utf8'))
      answering.begin({ 'content-type': 'text/event-stream' })
      answering.end(Buffer.from('data: {"choices":[{"delta":{"content":"ok"}}]}\n\ndata: [DONE]\n\n'))
    }
    await ask(scripted.world, 'chat/send', { conversationId: conversation.id, model: OPEN, text: 'And now?' })
    expect(sent).toMatchObject({
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'user', content: 'And now?' },
      ],
    })
    expect(JSON.stringify(sent)).not.toContain('get_weather')
  })

  it('a reply that is cut off keeps the calls and sources that it received', async () => {
    scripted.script = (_, answer) => {
      answer.begin({ 'content-type': 'text/event-stream' })
      for (const event of [
        delta({ content: 'It ' }),
        {
          ...delta({ tool_calls: [{ index: 0, function: { name: 'x', arguments: '{"a' } }] }),
          citations: ['https://a.example/'],
        },
      ])
        answer.write(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
      answer.end()
    }
    const { answer } = await ask(scripted.world, 'chat/send', { model: OPEN, text: 'Weather?' })
    expect(answer).toMatchObject({
      state: 'interrupted',
      errorCode: 'service/interrupted',
      text: 'It ',
      toolCalls: [{ name: 'x', arguments: '{"a' }],
      citations: [{ url: 'https://a.example/' }],
    })
  })

  it('a reply that ends with an error has failed, and keeps its text and the service’s message', async () => {
    answerWith(delta({ content: 'It ' }), {
      error: { message: 'Upstream is too busy', code: 'server_overloaded' },
    })
    const { answer, conversation, events } = await ask(scripted.world, 'chat/send', {
      model: OPEN,
      text: 'Weather?',
    })
    expect(answer).toMatchObject({ state: 'failed', text: 'It ', errorCode: 'service/unavailable' })
    const stored = (await messagesOf(scripted.world, conversation.id)).at(-1)
    expect(renderEnglish(stored?.errorDetail ?? [])).toContain('Upstream is too busy')
    expect(events.at(-1)).toMatchObject({ type: 'ended', receipt: { outcome: 'failed' } })
  })

  it('a reply names the parts that Sotto doesn’t show, and includes the text of a refusal', async () => {
    answerWith(
      delta({ content: [{ type: 'text', text: 'Here.' }] }),
      delta({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }, 'stop'),
    )
    expect((await ask(scripted.world, 'chat/send', { model: OPEN, text: 'Draw' })).answer).toMatchObject({
      state: 'complete',
      text: 'Here.',
      unshown: [{ type: 'image/png', count: 1 }],
    })
    answerWith(delta({ refusal: 'I can’t help with that.' }, 'stop'))
    expect((await ask(scripted.world, 'chat/send', { model: OPEN, text: 'Draw' })).answer).toMatchObject({
      state: 'complete',
      text: 'I can’t help with that.',
      end: 'refused',
    })
  })

  it('a reply in one piece to a request for a stream is accepted', async () => {
    scripted.script = (_, answer) => {
      answer.begin({ 'content-type': 'application/json' })
      answer.end(
        Buffer.from(
          JSON.stringify({
            choices: [{ message: { role: 'assistant', content: 'Whole.' }, finish_reason: 'length' }],
          }),
        ),
      )
    }
    expect((await ask(scripted.world, 'chat/send', { model: OPEN, text: 'Hello' })).answer).toMatchObject({
      state: 'complete',
      text: 'Whole.',
      end: 'length',
    })
  })
})

describe('web search', () => {
  it('is sent as the plugin with its number of results, saved with the question, and included in the cost', async () => {
    await using world = await startWorld()
    const { answer, question, events } = await ask(world, 'chat/send', {
      model: PLAINTEXT_MODEL,
      text: 'What is new in Turin?',
      webSearch: { maxResults: 3 },
    })
    expect(question.webSearch).toEqual({ maxResults: 3 })
    expect(world.outbound.map(String).find((sent) => sent.includes('"messages"'))).toContain(
      '"plugins":[{"id":"web","max_results":3}]',
    )
    expect(answer.citations).toHaveLength(3)
    for (const { url, excerpt, marks } of answer.citations!)
      expect([
        new URL(url).hostname.endsWith('.example'),
        excerpt?.includes('invented by the sandbox'),
        marks?.length,
      ]).toEqual([true, true, 1])
    const ended = events.at(-1)
    expect(ended?.type === 'ended' && BigInt(ended.receipt?.cost ?? 0)).toBeGreaterThan(20_000_000_000n)
    const again = await ask(world, 'chat/regenerate', {
      conversationId: answer.conversationId,
      questionId: question.id,
      model: PLAINTEXT_MODEL,
    })
    expect(again.answer.citations).toBeUndefined()
  })
  it.each([{ maxResults: 0 }, { maxResults: 51 }, { maxResults: 1.5 }, {}, true])(
    'with %j is refused, and nothing is saved',
    async (webSearch) => {
      await using world = await startWorld()
      await ask(world, 'chat/send', { model: PLAINTEXT_MODEL, text: 'x', webSearch })
      expect(await world.call('conversations/list')).toEqual([])
      expect(chatRequests(world.sandbox)).toEqual([])
    },
  )
  it('is refused for a private model, and nothing is sent', async () => {
    await using world = await startWorld()
    const { answer } = await ask(world, 'chat/send', {
      model: PRIVATE_MODEL,
      text: 'between us',
      webSearch: { maxResults: 5 },
    })
    expect(answer).toMatchObject({ state: 'failed', privacy: 'refused', errorCode: 'privacy/plugins' })
    expect(chatRequests(world.sandbox)).toEqual([])
  })
  it('in a private conversation needs a consent for web search, and a comparison needs a consent for a comparison', async () => {
    await using world = await startWorld()
    const { conversation, question } = await ask(world, 'chat/send', {
      model: PRIVATE_MODEL,
      text: 'between us',
    })
    const conversationId = conversation.id
    world.sandbox.clearReceived()
    const again = { conversationId, questionId: question.id, model: PLAINTEXT_MODEL }
    const consent = async (purpose: string) =>
      (
        (await world.call('consents/preview', {
          conversationId,
          purpose,
          models: [PLAINTEXT_MODEL],
          questionId: question.id,
        })) as { consentId: string }
      ).consentId
    for (const [asked, code] of [
      [{ ...again, webSearch: { maxResults: 1 } }, 'privacy/consent-missing'],
      [{ ...again, comparing: true }, 'privacy/consent-missing'],
      [{ ...again, comparing: true, consentId: await consent('web-search') }, 'privacy/consent-mismatch'],
      [
        { ...again, webSearch: { maxResults: 1 }, consentId: await consent('compare') },
        'privacy/consent-mismatch',
      ],
      [{ ...again, consentId: await consent('compare') }, 'privacy/consent-mismatch'],
    ] as const)
      expect((await ask(world, 'chat/regenerate', asked)).error).toMatchObject({ data: { code } })
    expect(chatRequests(world.sandbox)).toEqual([])
    expect(
      (
        await ask(world, 'chat/regenerate', {
          ...again,
          comparing: true,
          consentId: await consent('compare'),
        })
      ).answer,
    ).toMatchObject({ state: 'complete', privacy: 'forwarded' })
    expect(
      (
        await ask(world, 'chat/regenerate', {
          ...again,
          webSearch: { maxResults: 1 },
          consentId: await consent('web-search'),
        })
      ).answer.citations,
    ).toHaveLength(1)
  })
})

it('several replies to one question are generated in parallel, as siblings', async () => {
  await using world = await startWorld()
  const first = await ask(world, 'chat/send', { model: PLAINTEXT_MODEL, text: 'one question' })
  const { id: questionId, conversationId } = first.question
  const others = await Promise.all(
    [PLAINTEXT_MODEL, 'sandbox/andante-large', PRIVATE_MODEL].map((model) =>
      ask(world, 'chat/regenerate', { conversationId, questionId, model, comparing: true }),
    ),
  )
  const messages = await messagesOf(world, conversationId)
  expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1)
  expect(
    messages
      .filter(({ parentId, state }) => parentId === questionId && state === 'complete')
      .map(({ id }) => id)
      .sort(),
  ).toEqual([first, ...others].map(({ answer }) => answer.id).sort())
})
