import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()

test('every message shows who could read it, and its receipt is one click away', async ({
  window: { open, page, mock, messages },
}) => {
  const stored = data.conversation('c1', 'Rivers', now, [
    ['Which river is longest?', 'The Nile.'],
    ['And in Europe?', 'The Volga.'],
  ])
  stored.messages.push(
    {
      id: 'q-open',
      conversationId: 'c1',
      parentId: 'c1-a1',
      role: 'user',
      text: 'Aloud?',
      state: 'complete',
      createdAt: now,
    },
    {
      id: 'a-open',
      conversationId: 'c1',
      parentId: 'q-open',
      role: 'assistant',
      text: 'So be it.',
      state: 'complete',
      model: 'sandbox/echo',
      privacy: 'forwarded',
      receiptId: 'r-open',
      createdAt: now,
    },
    {
      id: 'q-low',
      conversationId: 'c1',
      parentId: 'a-open',
      role: 'user',
      text: 'Low again',
      state: 'complete',
      createdAt: now,
    },
    {
      id: 'a-low',
      conversationId: 'c1',
      parentId: 'q-low',
      role: 'assistant',
      text: '',
      state: 'failed',
      model: 'private/sandbox-large',
      privacy: 'refused',
      errorCode: 'attestation/failed',
      receiptId: 'r-low',
      createdAt: now,
    },
  )
  stored.conversation.leafId = 'a-low'
  mock.state.conversations = [stored]
  mock.state.receipts = [
    data.receipt('r-c1-0', now),
    data.receipt('r-c1-1', now),
    data.receipt('r-open', now, { privacy: 'forwarded', model: 'sandbox/echo' }),
    data.refusedReceipt('r-low', now),
  ]
  await open('#/chat/c1')
  await expect(messages.getByText('Low again')).toBeVisible()
  const article = (text: string) => messages.getByRole('article').filter({ hasText: text }).first()
  await expect(article('The Volga.').getByRole('button', { name: /Private.*Receipt/ })).toBeVisible()
  // A sealed message that was sent along with a visible message is marked, with the visible message's
  // receipt.
  await expect(article('The Volga.')).toContainText('Became visible later')
  await expect(article('And in Europe?')).toContainText('Visible')
  await expect(article('Aloud?')).toContainText('Visible')
  await expect(article('Low again')).toContainText('Blocked')
  for (const text of ['And in Europe?', 'Aloud?', 'Low again']) {
    await article(text)
      .getByRole('button', { name: /Open its receipt/ })
      .press('Enter')
    const receipt = page.getByRole('dialog', { name: 'Receipt' })
    await expect(receipt).toContainText(text === 'Low again' ? 'Blocked' : 'Visible')
    await page.keyboard.press('Escape')
    await expect(receipt).toHaveCount(0)
  }
})

test('a receipt shows the verified enclave, the times, the ciphertexts, the cost, and what it doesn’t prove', async ({
  window: { open, page, mock, messages },
}) => {
  mock.state.conversations = [
    data.conversation('c1', 'Rivers', now, [['Which river is longest?', 'The Nile.']]),
  ]
  const receipt = data.receipt('r-c1-0', now)
  mock.state.receipts = [receipt]
  await open('#/chat/c1')
  await messages.getByRole('button', { name: /Private.*Receipt/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Receipt' })
  for (const name of [
    'Enclave',
    'Measurement',
    'Release',
    'Verified at',
    'Time',
    'Encryption key',
    'Evidence (SHA-256)',
    'Request ciphertext, SHA-256',
    'Response ciphertext, SHA-256',
    'Cost',
    'Tokens',
  ]) {
    await expect(dialog.getByText(name, { exact: true })).toBeVisible()
  }
  await expect(dialog).toContainText(receipt.enclave!.host)
  await expect(dialog).toContainText(receipt.enclave!.measurement.slice(0, 8))
  await expect(dialog).toContainText(receipt.requestDigest!.slice(0, 8))
  await expect(dialog.getByRole('heading', { name: 'Limits of this proof' })).toBeVisible()
  await expect(dialog).toContainText('Only the router vouches')
  await page.keyboard.press('Escape')
  await expect(messages.getByRole('button', { name: /Private.*Receipt/ })).toBeFocused()
})

test('an imported chat never looks sealed', async ({ window: { open, page, mock, messages } }) => {
  const stored = data.conversation('c1', 'From elsewhere', now, [['A question', 'An answer']], {
    imported: true,
  })
  stored.messages = stored.messages.map(({ privacy: _, receiptId: __, ...message }) => message)
  mock.state.conversations = [stored]
  await open('#/chat/c1')
  await expect(messages.getByText('An answer')).toBeVisible()
  await expect(messages.getByText(/sealed/i)).toHaveCount(0)
  await expect(
    page.getByRole('group', { name: 'Chats' }).getByRole('img', { name: 'Imported' }),
  ).toBeVisible()
})

test('a reply whose process was killed shows who could read it, and that it has no receipt', async ({
  window: { open, mock, messages },
}) => {
  const stored = data.conversation('c1', 'Cut', now, [['A question', 'Half an']])
  stored.messages = stored.messages.map(({ receiptId: _, ...message }) =>
    message.role === 'assistant' ? { ...message, state: 'interrupted' as const } : message,
  )
  mock.state.conversations = [stored]
  await open('#/chat/c1')
  await expect(messages.getByText('No receipt: Sotto quit before writing one')).toBeVisible()
  await expect(messages.getByText('Half an')).toBeVisible()
})

test('an unreadable message is marked in its place, and a chat with a damaged record is shown, but can only be deleted', async ({
  window: { open, page, mock, messages, composer },
}) => {
  const half = data.conversation('half', 'Half of it', now, [
    ['A question', 'An answer'],
    ['Another', 'And its answer'],
  ])
  half.messages = half.messages.map((message) =>
    message.id === 'half-a0'
      ? {
          id: message.id,
          conversationId: 'half',
          role: 'assistant',
          text: '',
          state: 'failed',
          errorCode: 'store/damaged',
          damaged: true,
          createdAt: message.createdAt,
        }
      : message,
  )
  const lost = data.conversation('lost', '', now - 1, [['What was asked', 'What was answered']], {
    damaged: true,
  })
  mock.state.conversations = [half, lost]
  await open('#/chat/half')
  await expect(messages.getByRole('article', { name: 'Damaged message' })).toContainText(
    'It was left unchanged',
  )
  await expect(messages.getByText('And its answer')).toBeVisible()
  await expect(composer).toBeVisible()
  await page.getByRole('link', { name: 'Damaged chat' }).click()
  await expect(messages.getByText('What was answered')).toBeVisible()
  await expect(page.getByText('This chat’s record is damaged')).toBeVisible()
  await expect(composer).toHaveCount(0)
  await page.getByRole('button', { name: 'More actions for Damaged chat' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Delete'])
})

for (const [kind, label] of [
  ['keychain', 'is in this system’s keychain'],
  ['file', 'is protected by a passphrase'],
  ['memory', 'Nothing is saved'],
] as const) {
  test(`settings show where chats are saved: ${kind}`, async ({ window: { open, page, mock } }) => {
    mock.state.status = { ...mock.state.status, vault: { kind, state: 'open' } }
    await open('#/settings')
    await expect(page.getByRole('region', { name: 'Saved data and encryption' })).toContainText(label)
  })
}

test('a temporary chat shows that it is never saved', async ({ window: { open, page } }) => {
  await open()
  await expect(page.getByText('In memory only, never saved')).toHaveCount(0)
  await page.getByRole('switch', { name: 'Temporary chat' }).click()
  await expect(page.getByText('In memory only, never saved')).toBeVisible()
})
