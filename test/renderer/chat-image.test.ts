// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conversation, Message } from '../../src/shared/conversation.ts'
import type { JobAsk } from '../../src/shared/job-ask.ts'
import type { Job } from '../../src/shared/job.ts'
import { mediaModels, sandboxStatus } from '../e2e/mock-data.ts'
import { drawInPage, settled } from './in-page.ts'

const core = vi.hoisted(() => ({
  start: vi.fn<(input: { ask: JobAsk; pay: string; consentId?: string }) => Promise<Job>>(),
  get: vi.fn<(input: { jobId: string }) => Promise<Job>>(),
  stop: vi.fn<(input: { jobId: string }) => Promise<Job>>(),
  attachFiles: vi.fn<(draft: string, files: readonly File[]) => Promise<void>>(),
  addImage: vi.fn<(input: object) => Promise<object>>(),
  askConsent: vi.fn<() => Promise<string | null>>(),
}))

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    studio: {
      models: () => Promise.resolve(mediaModels),
      estimate: () => Promise.resolve({ cost: { least: '80500000000', most: '80500000000' }, unknown: [] }),
      start: core.start,
      get: core.get,
      stop: core.stop,
      link: () => Promise.resolve({ path: '/media/1', expiresAt: Date.now() + 600_000 }),
      watch: () => new Promise(() => undefined),
    },
    chat: { addImage: core.addImage },
    receipts: { get: () => new Promise(() => undefined) },
  },
  linkedBytes: () => Promise.resolve(new ArrayBuffer(3)),
}))
vi.mock('../../src/renderer/features/chat/attachments/attached-store.ts', () => ({
  attachFiles: core.attachFiles,
  attachmentsOf: () => [],
  keepUnsentFiles: () => undefined,
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
const { NEW, setDraft, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { ImageDialog } = await import('../../src/renderer/features/chat/images/image-dialog.tsx')
const { ImageTurn } = await import('../../src/renderer/features/chat/images/image-turn.tsx')

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
const question: Message = {
  id: 'q1',
  conversationId: 'c1',
  parentId: null,
  role: 'user',
  text: 'A boat',
  state: 'complete',
  jobId: 'j1',
  createdAt: 0,
}
const answer: Message = {
  ...question,
  id: 'a1',
  parentId: 'q1',
  role: 'assistant',
  text: '',
  model: 'sandbox/painter',
  privacy: 'forwarded',
}
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
  core.addImage.mockResolvedValue({ conversation, question, answer })
  useChat.setState({ threads: {}, drafts: {} })
})

describe('an image that is created in a chat', () => {
  it('begins with the draft, names its price and its reader, and becomes a turn of the chat', async () => {
    await drawDialog(undefined, 'A boat')
    expect(screen.getByText('Visible')).toBeDefined()
    await generate()
    expect(core.start.mock.calls[0]?.[0]).toEqual({
      ask: { kind: 'image', model: 'sandbox/painter', prompt: 'A boat' },
      pay: 'balance',
    })
    expect(core.addImage.mock.calls).toEqual([[{ jobId: 'j1', model: 'sandbox/painter' }]])
    expect(close).toHaveBeenCalledOnce()
    expect(useChat.getState().threads['c1']?.messages?.map(({ id }) => id)).toEqual(['q1', 'a1'])
    expect(useChat.getState().drafts[NEW]).toBe('')
  })

  it('stays in Studio and can be added again if the chat can’t be saved', async () => {
    core.addImage.mockRejectedValueOnce(new WindowError('store/unwritable'))
    await drawDialog(undefined, 'A boat')
    await generate()
    expect(close).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await settled()
    expect([core.start.mock.calls.length, core.addImage.mock.calls.length]).toEqual([1, 2])
    expect(close).toHaveBeenCalledOnce()
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
    expect(core.addImage).not.toHaveBeenCalled()
  })

  it('has no price and isn’t sent without a prompt', async () => {
    await drawDialog(undefined, '')
    expect(screen.getByText('Enter a prompt to see the price.')).toBeDefined()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Generate' }).disabled).toBe(true)
  })
})

describe('the image in the chat', () => {
  const imageJob = (part: Partial<Job>): Job => ({
    ...job({ kind: 'image', model: 'sandbox/painter', prompt: 'A boat' }),
    ...part,
  })
  async function drawTurn(jobId: string, found: Promise<Job>): Promise<void> {
    core.get.mockReturnValue(found)
    useChat.setState({ threads: { c1: { messages: [question, answer], failure: undefined } } })
    const message = { ...answer, jobId }
    drawInPage(createElement(ImageTurn, { message, at: 0, of: 1, live: undefined, last: true }))
    await settled()
  }

  it('shows the image with its cost and receipt, and attaches it to the next message', async () => {
    await drawTurn('shown', Promise.resolve(imageJob({ id: 'shown', cost: '80500000000', receiptId: 'r1' })))
    expect(await screen.findByRole('img', { name: 'A boat' })).toBeDefined()
    expect(screen.getByTestId('job-cost').textContent).toContain('$0.08')
    expect(screen.getByRole('button', { name: /Receipt/ })).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Attach to message' }))
    await settled()
    const [draft, files] = core.attachFiles.mock.calls[0] ?? []
    expect([draft, files?.map(({ name, type, size }) => [name, type, size])]).toEqual([
      'c1',
      [['boat.png', 'image/png', 3]],
    ])
  })

  it('shows progress while it is created, without another request', async () => {
    await drawTurn('coming', Promise.resolve(imageJob({ id: 'coming', state: 'sending', files: [] })))
    expect(screen.getByRole('progressbar', { name: 'Sent to service' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Create another' })).toBeNull()
  })

  it('offers another image after a failure, and after the image was deleted', async () => {
    await drawTurn('deleted', Promise.reject(new WindowError('studio/unknown')))
    expect(screen.getByText('This image was deleted.')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Create another' })).toBeDefined()
  })
})
