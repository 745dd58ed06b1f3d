// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conversation } from '../../src/shared/conversation.ts'
import type { JobAsk } from '../../src/shared/job-ask.ts'
import type { Job } from '../../src/shared/job.ts'
import { mediaModels, sandboxStatus } from '../e2e/mock-data.ts'
import { drawInPage, settled } from './in-page.ts'

const core = vi.hoisted(() => ({
  start: vi.fn<(input: { ask: JobAsk; pay: string; consentId?: string }) => Promise<Job>>(),
  attachFiles: vi.fn<(draft: string, files: readonly File[]) => Promise<void>>(),
  askConsent: vi.fn<() => Promise<string | null>>(),
}))

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    studio: {
      models: () => Promise.resolve(mediaModels),
      estimate: () => Promise.resolve({ cost: { least: '80500000000', most: '80500000000' }, unknown: [] }),
      start: core.start,
      link: () => Promise.resolve({ path: '/media/1', expiresAt: Date.now() + 600_000 }),
      watch: () => new Promise(() => undefined),
    },
  },
  linkedBytes: () => Promise.resolve(new ArrayBuffer(3)),
}))
vi.mock('../../src/renderer/features/chat/attachments/attached-store.ts', () => ({
  attachFiles: core.attachFiles,
  attachmentsOf: () => [],
}))
vi.mock('../../src/renderer/ui/consent-store.ts', () => ({
  askConsent: core.askConsent,
  useConsent: (select: (state: { asking: undefined }) => unknown) => select({ asking: undefined }),
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { WindowError } = await import('../../src/renderer/ui/failure.ts')
const { NEW, setDraft } = await import('../../src/renderer/features/chat/chat-store.ts')
const { ImageDialog } = await import('../../src/renderer/features/chat/images/image-dialog.tsx')

const conversation: Conversation = {
  id: 'c1',
  title: 'Boats',
  private: true,
  model: 'private/sandbox-large',
  createdAt: 0,
  updatedAt: 0,
}
const job = (ask: JobAsk): Job => ({
  id: 'j1',
  at: 0,
  changedAt: 1,
  kind: 'image',
  state: 'done',
  pay: 'balance',
  caller: { kind: 'window' },
  ask: ask as Job['ask'],
  files: [{ index: 0, role: 'made', name: 'boat.png', type: 'image/png', bytes: 3 }],
  may: [],
})
const close = vi.fn()

async function drawDialog(about: Conversation | undefined, written: string): Promise<void> {
  setDraft(about?.id ?? NEW, written)
  drawInPage(createElement(ImageDialog, { conversation: about, close }))
  await settled()
}
async function generate(): Promise<void> {
  const button = await screen.findByRole('button', { name: /^Generate · / })
  fireEvent.click(button)
  await settled()
}

beforeEach(() => {
  vi.clearAllMocks()
  setStatus(sandboxStatus())
  core.start.mockImplementation(({ ask }) => Promise.resolve(job(ask)))
})

describe('an image that is created in a chat', () => {
  it('begins with the draft, names its price and its reader, and is attached to the message', async () => {
    await drawDialog(undefined, 'A boat')
    expect(screen.getByText('Visible')).toBeDefined()
    await generate()
    expect(core.start.mock.calls[0]?.[0]).toEqual({
      ask: { kind: 'image', model: 'sandbox/painter', prompt: 'A boat' },
      pay: 'balance',
    })
    fireEvent.click(screen.getByRole('button', { name: 'Attach to message' }))
    await settled()
    expect(close).toHaveBeenCalledOnce()
    const [draft, files] = core.attachFiles.mock.calls[0] ?? []
    expect([draft, files?.map(({ name, type, size }) => [name, type, size])]).toEqual([
      NEW,
      [['boat.png', 'image/png', 3]],
    ])
  })

  it('needs a consent for the prompt if the chat is private, and sends nothing without one', async () => {
    core.start.mockRejectedValueOnce(new WindowError('privacy/consent-missing'))
    core.askConsent.mockResolvedValueOnce(null)
    await drawDialog(conversation, 'A boat')
    await generate()
    expect(core.start.mock.calls.map(([{ ask, consentId }]) => [ask, consentId])).toEqual([
      [
        { kind: 'image', model: 'sandbox/painter', prompt: 'A boat', from: { conversationId: 'c1' } },
        undefined,
      ],
    ])
    expect(core.askConsent).toHaveBeenCalledOnce()
    expect(screen.queryByRole('button', { name: 'Attach to message' })).toBeNull()
  })

  it('has no price and isn’t sent without a prompt', async () => {
    await drawDialog(undefined, '')
    expect(screen.getByText('Enter a prompt to see the price.')).toBeDefined()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Generate' }).disabled).toBe(true)
  })
})
