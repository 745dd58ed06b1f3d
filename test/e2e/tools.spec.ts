import type { ToolServerView } from '../../src/shared/contract/tools.ts'
import type { KeyCall, ToolStep } from '../../src/shared/tool-call.ts'
import { axeFaults } from './axe.ts'
import { receipt } from './mock-data.ts'
import { failure } from './mock-server.ts'
import { addToMessage } from './open-window.ts'
import { expect, test } from './window-test.ts'

const DIGEST = 'a'.repeat(64)
const now = Date.now()

function step(changes: Partial<ToolStep> = {}): ToolStep {
  return {
    id: 'a1.0.0',
    conversationId: 'c1',
    answerId: 'a1',
    round: 0,
    index: 0,
    callId: 'call_1',
    functionName: 'notes__search',
    tool: {
      kind: 'server',
      sourceId: 'server-1',
      sourceName: 'notes',
      name: 'search',
      programDigest: DIGEST,
      definitionDigest: DIGEST,
      sendsTo: 'program',
      mayAlways: true,
    },
    arguments: '{"query":"tax \u202Egnp.exe"}',
    state: 'asked',
    ...changes,
  }
}

test('tools are chosen for a new chat, and sent with its first message', async ({
  window: { open, page, send },
}) => {
  await open()
  await addToMessage(page, 'Use tools…')
  const choice = page.getByRole('dialog', { name: 'Tools' })
  await choice.getByRole('switch', { name: 'Calculator' }).click()
  await choice.getByRole('switch', { name: 'Load a web page' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Tools: 2 chosen' })).toBeVisible()
  const answer = await send('How much is 3 * 4?')
  expect(answer.input.tools).toEqual(['calculator', 'fetch-url'])
  answer.end()
})

test('a call is shown word for word, and runs only after a decision', async ({
  window: { open, page, send, messages, mock },
}) => {
  await open()
  const answer = await send('Search my notes')
  answer.step(step())
  const question = messages.getByRole('region', { name: 'Call of notes › search' })
  await expect(question).toContainText('It has no network access.')
  await expect(question.getByLabel('Arguments for notes › search')).toContainText('"query":"tax ')
  // A character that turns the order of letters is shown by its name.
  await expect(question.locator('bdi')).toHaveAttribute('data-name', 'U+202E')
  // No key press that was meant for the composer may allow a call.
  await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
  expect(mock.state.tools.decisions).toEqual([])
  await question.getByRole('button', { name: 'Allow once' }).click()
  await expect.poll(() => mock.state.tools.decisions).toEqual([{ callId: 'a1.0.0', decision: 'once' }])
  answer.step(step({ state: 'running' }))
  await expect(question).toHaveCount(0)
  await expect(messages.getByRole('list', { name: 'Tool calls' })).toContainText('Running…')
  answer.step(step({ state: 'done', outcome: 'result', result: 'Two notes' }))
  await expect(messages.getByRole('list', { name: 'Tool calls' })).toContainText('Done')
  answer.delta('You have two notes.')
  answer.end()
  await expect(messages.getByText('You have two notes.')).toBeVisible()
})

test('only a tool that reads on this computer can be allowed for the chat', async ({
  window: { open, send, messages, mock },
}) => {
  await open()
  const answer = await send('Read a page')
  const tool = { ...step().tool!, kind: 'built-in' as const, sourceId: 'fetch-url', name: 'fetch-url' }
  answer.step(
    step({ tool: { ...tool, sendsTo: 'host', host: 'example.org', mayAlways: false }, arguments: '{}' }),
  )
  const question = messages.getByRole('region', { name: 'Call of Load a web page' })
  await expect(question).toContainText('example.org')
  await expect(question.getByRole('button', { name: 'Allow in this chat' })).toHaveCount(0)
  await question.getByRole('button', { name: 'Deny call' }).click()
  await expect.poll(() => mock.state.tools.decisions).toEqual([{ callId: 'a1.0.0', decision: 'refuse' }])
  answer.end()
})

test('a reply that ended early shows its calls and continues in its place', async ({
  window: { open, page, send, messages, mock },
}) => {
  mock.state.tools.steps = [
    step({ state: 'done', outcome: 'result', result: 'Two notes' }),
    step({ id: 'a1.1.0', round: 1, state: 'unknown' }),
    step({ id: 'a1.2.0', round: 2 }),
  ]
  await open()
  const answer = await send('Search my notes')
  answer.end(
    { state: 'interrupted', errorCode: 'service/interrupted' },
    receipt('r1', now, {
      outcome: 'interrupted',
      tools: [
        {
          server: 'notes',
          tool: 'search',
          sendsTo: 'program',
          outcome: 'result',
          argumentsDigest: DIGEST,
          resultDigest: 'b'.repeat(64),
        },
      ],
    }),
    failure('service/interrupted'),
  )
  const calls = messages.getByRole('list', { name: 'Tool calls' }).getByRole('listitem')
  await expect(calls).toContainText(['Done', 'It isn’t known', 'Waits for your decision'])
  // Only a reply in progress can get a decision.
  await expect(messages.getByRole('button', { name: 'Allow once' })).toHaveCount(0)
  if (process.env['SOTTO_LOOK']) await page.screenshot({ path: `${process.env['SOTTO_LOOK']}/ended.png` })
  await messages.getByRole('button', { name: 'Continue' }).click()
  const last = mock.state.conversations[0]?.messages.at(-1)
  await expect
    .poll(() => mock.calls.filter(({ path }) => path === 'chat.resume').map(({ input }) => input))
    .toEqual([{ conversationId: last?.conversationId, answerId: last?.id }])
  await messages.getByRole('button', { name: /Receipt/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Receipt' })
  const listed = dialog.getByRole('region', { name: 'Tool calls' })
  await expect(listed).toContainText('notes › search')
  await expect(listed.getByRole('button', { name: 'Copy result, SHA-256' })).toBeVisible()
  if (process.env['SOTTO_LOOK']) {
    await listed.scrollIntoViewIfNeeded()
    await page.screenshot({ path: `${process.env['SOTTO_LOOK']}/receipt.png` })
  }
})

for (const scheme of ['light', 'dark'] as const)
  for (const width of [1280, 480])
    test(`the question about a call has no fault, ${scheme} at ${String(width)}`, async ({
      window: { open, page, send, messages },
    }) => {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 800 })
      await open()
      const answer = await send('Search my notes')
      answer.step(step())
      await expect(messages.getByRole('button', { name: 'Allow in this chat' })).toBeVisible()
      if (process.env['SOTTO_LOOK'])
        await page.screenshot({ path: `${process.env['SOTTO_LOOK']}/tools-${scheme}-${String(width)}.png` })
      expect(await axeFaults(page)).toEqual([])
      answer.end()
    })

const remoteServer: ToolServerView = {
  id: 'server-2',
  name: 'tickets',
  command: '',
  address: 'https://tools.example/mcp',
  args: [],
  network: true,
  readOnly: false,
  programDigest: DIGEST,
  variables: [],
  networkOff: false,
  state: 'failed',
  failure: 'tools/sign-in-required',
  tools: [],
  changedTools: [],
  skippedTools: 0,
}

test('a sign-in shows the address of its page before it opens, and ends with the running server', async ({
  window: { open, page, mock },
}) => {
  mock.state.tools.servers = [remoteServer]
  await open('#/settings')
  const server = page.getByRole('listitem').filter({ hasText: 'tickets' })
  await expect(server).toContainText('Not signed in')
  await server.getByRole('button', { name: 'Sign in' }).click()
  const link = page.getByRole('dialog').filter({ hasText: 'sign-in.example' })
  await expect(link).toContainText('This page signs you in to the tool server tickets.')
  await page.keyboard.press('Escape')
  await expect(server.getByRole('button', { name: 'Waiting for the sign-in…' })).toBeVisible()
  mock.state.tools.signedIn.resolve(undefined)
  await expect(server).toContainText('Running')
  await expect(server.getByRole('button', { name: 'Sign in' })).toHaveCount(0)
})

test('a failed sign-in shows why, and can be tried again', async ({ window: { open, page, mock } }) => {
  mock.state.tools.servers = [remoteServer]
  await open('#/settings')
  const server = page.getByRole('listitem').filter({ hasText: 'tickets' })
  mock.state.tools.signedIn.resolve('tools/sign-in-refused')
  await server.getByRole('button', { name: 'Sign in' }).click()
  // The dialog with the link may open after the first press.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(server.getByRole('alert')).toContainText('No token was saved.', { timeout: 500 })
  }).toPass()
  await expect(server.getByRole('button', { name: 'Sign in' })).toBeEnabled()
})

function keyCall(changes: Partial<ToolStep> = {}): KeyCall {
  return {
    step: step({
      id: 'k1.0.0',
      conversationId: 'd'.repeat(64),
      functionName: 'sotto_web_search',
      tool: {
        kind: 'built-in',
        sourceId: 'web-search',
        sourceName: 'Sotto',
        name: 'web-search',
        programDigest: DIGEST,
        definitionDigest: DIGEST,
        sendsTo: 'service',
        mayAlways: false,
      },
      arguments: '{"query":"tax 2026"}',
      ...changes,
    }),
    keyName: 'Claude Code',
    model: 'private/sandbox-large',
    privacy: 'sealed',
    until: now + 120_000,
  }
}

test('a call for a local key is shown word for word over every view, and is allowed once', async ({
  window: { open, page, mock },
}) => {
  await open('#/settings')
  mock.state.tools.keyCalls = [keyCall()]
  const dialog = page.getByRole('alertdialog', { name: 'Allow a tool call?' })
  await expect(dialog).toContainText('Claude Code')
  await expect(dialog.getByLabel('Arguments for Web search')).toHaveText('{"query":"tax 2026"}')
  await expect(dialog.getByRole('button', { name: 'Allow for this key' })).toHaveCount(0)
  // No key press that was meant for another place may allow a call.
  await expect(dialog.getByRole('button', { name: 'Allow once' })).not.toBeFocused()
  if (process.env['SOTTO_LOOK']) await page.screenshot({ path: `${process.env['SOTTO_LOOK']}/key-call.png` })
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Allow once' }).click()
  await expect.poll(() => mock.state.tools.decisions).toEqual([{ callId: 'k1.0.0', decision: 'once' }])
  await expect(dialog).toHaveCount(0)
})

test('a call that reads documents names its readers, and closing the dialog denies it', async ({
  window: { open, page, mock },
}) => {
  const tool = { ...keyCall().step.tool!, sourceId: 'project-files', name: 'project_search' }
  const call = keyCall({ id: 'k2.0.0', tool: { ...tool, sendsTo: 'project', mayAlways: true } })
  mock.state.tools.keyCalls = [{ ...call, projectName: 'Taxes' }]
  await open()
  const dialog = page.getByRole('alertdialog', { name: 'Allow a tool call?' })
  await expect(dialog).toContainText('Only the private model private/sandbox-large receives the result')
  await expect(dialog.getByRole('button', { name: 'Allow for this key' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect.poll(() => mock.state.tools.decisions).toEqual([{ callId: 'k2.0.0', decision: 'refuse' }])
})
