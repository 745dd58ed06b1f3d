import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { balanceOf, createAccount, postChat, sandboxFolder, startTestSandbox } from './cached-roots.ts'

describe('what is charged', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  test('input and output at the listed price, exactly', async () => {
    const account = await createAccount(sandbox)
    expect(await balanceOf(sandbox, account)).toBe(5)
    const response = await postChat(sandbox, account, { model: 'sandbox/andante-large' })
    const { usage } = (await response.json()) as {
      usage: { prompt_tokens: number; completion_tokens: number }
    }
    const pico = BigInt(usage.prompt_tokens) * 15_825_000n + BigInt(usage.completion_tokens) * 79_125_000n
    expect(sandbox.ledger().at(-1)).toEqual({
      at: expect.any(Number) as number,
      account: account.creditId,
      model: 'sandbox/andante-large',
      inputTokens: usage.prompt_tokens,
      outputTokens: usage.completion_tokens,
      picoUsd: pico,
      aborted: false,
    })
    expect(await balanceOf(sandbox, account)).toBe(Number(5_000_000_000_000n - pico) / 1e12)
  })

  test('what is refused costs nothing', async () => {
    const account = await createAccount(sandbox)
    const before = sandbox.ledger().length
    await postChat(sandbox, account, { model: 'sandbox/nobody' })
    await postChat(sandbox, account, { messages: [] })
    expect([await balanceOf(sandbox, account), sandbox.ledger().length]).toEqual([5, before])
  })

  test('an input that the balance does not cover: 402', async () => {
    const account = await createAccount(sandbox)
    const response = await postChat(sandbox, account, {
      model: 'sandbox/andante-large',
      messages: [{ role: 'user', content: 'word '.repeat(340_000) }],
    })
    expect([response.status, await response.json()]).toEqual([402, { error: 'Insufficient credit.' }])
    expect(await balanceOf(sandbox, account)).toBe(5)
  })

  test('a router answers with another model, at that model’s price', async () => {
    const account = await createAccount(sandbox)
    const response = await postChat(sandbox, account, { model: 'sandbox/auto' })
    expect(await response.json()).toMatchObject({ model: 'sandbox/allegro-mini' })
    expect(sandbox.ledger().at(-1)).toMatchObject({
      account: account.creditId,
      model: 'sandbox/allegro-mini',
    })
  })
})

describe('a caller that goes away', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox({ pace: 'human' })
  })
  afterAll(() => sandbox.close())

  const prompt = { messages: [{ role: 'user', content: 'Write 5000 words about rivers' }] }

  test('pays for what was generated and for nothing after', async () => {
    const account = await createAccount(sandbox)
    sandbox.clearReceived()
    const controller = new AbortController()
    const response = await postChat(
      sandbox,
      account,
      { ...prompt, stream: true },
      { signal: controller.signal },
    )
    const reader = response.body!.getReader()
    await expect
      .poll(async () => {
        await reader.read()
        return sandbox.ledger().at(-1)?.outputTokens ?? 0
      })
      .toBeGreaterThan(10)
    controller.abort()
    await expect.poll(() => sandbox.ledger().at(-1)?.aborted).toBe(true)
    const entry = sandbox.ledger().at(-1)
    const balance = await balanceOf(sandbox, account)
    // Generates another full answer, so that the abandoned answer has time to continue if it isn't stopped.
    await (await postChat(sandbox, account, { max_tokens: 40 })).json()
    const after = sandbox.ledger()
    expect(after.at(-2)).toEqual(entry)
    expect(entry?.outputTokens).toBeLessThan(1000)
    expect(await balanceOf(sandbox, account)).toBeCloseTo(balance - Number(after.at(-1)?.picoUsd) / 1e12, 12)
    expect(sandbox.received().find(({ path }) => path === '/chat/completions')).toMatchObject({
      aborted: true,
    })
  })

  test('the same where the answer is not streamed', async () => {
    const account = await createAccount(sandbox)
    const controller = new AbortController()
    const answer = postChat(sandbox, account, prompt, { signal: controller.signal }).then(
      () => 'answered',
      () => 'gone',
    )
    await expect
      .poll(
        () =>
          sandbox
            .ledger()
            .filter((entry) => entry.account === account.creditId)
            .at(-1)?.outputTokens ?? 0,
      )
      .toBeGreaterThan(10)
    controller.abort()
    expect(await answer).toBe('gone')
    await expect.poll(() => sandbox.ledger().at(-1)?.aborted).toBe(true)
    const entry = sandbox.ledger().at(-1)
    await (await postChat(sandbox, account, { max_tokens: 40 })).json()
    expect(sandbox.ledger().at(-2)).toEqual(entry)
  })

  test('closing the sandbox ends an open answer', async () => {
    const closing = await startTestSandbox({ pace: 'human' })
    const account = await createAccount(closing)
    const response = await postChat(closing, account, { ...prompt, stream: true })
    const text = response.text().then(
      () => 'whole',
      () => 'cut',
    )
    await closing.close()
    expect(await text).toBe('cut')
  })
})

test('accounts, balances and the ledger outlive a restart', async () => {
  const folder = await sandboxFolder()
  const first = await startSandbox({ folder, pace: 'none' })
  const account = await createAccount(first)
  await (await postChat(first, account, {})).json()
  const [balance, entries] = [await balanceOf(first, account), first.ledger()]
  await first.close()
  const second = await startSandbox({ folder, pace: 'none' })
  try {
    expect(second.ledger()).toEqual(entries)
    expect(entries).toHaveLength(1)
    expect(await balanceOf(second, account)).toBe(balance)
    expect((await postChat(second, account, {})).status).toBe(200)
  } finally {
    await second.close()
  }
})
