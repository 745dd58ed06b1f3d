import { expect, it } from 'vitest'
import {
  emptyDraft,
  readDraft,
  type ImageDraft,
} from '../../../src/renderer/features/studio/images/image-draft.ts'
import { choicesOf, tasksOf } from '../../../src/renderer/ui/jobs/image-models.ts'
import { jobAskSchema } from '../../../src/shared/job-ask.ts'
import type { Model } from '../../../src/shared/model.ts'

const full: ImageDraft = {
  task: 'edit',
  model: 'm',
  prompt: ' Fog ',
  count: 9,
  quality: 'low',
  size: '1:1',
  resolution: '2K',
  negativePrompt: 'people',
  outputFormat: 'webp',
  seed: '-7',
  extra: '{"steps":30}',
  form: true,
  keepMetadata: true,
  from: undefined,
}
const image = { uploadId: 'u' }
const model = (part: Partial<Model>): Model => ({
  id: 'x/y',
  name: 'Y',
  private: false,
  type: 'image',
  ...part,
})

it('includes only the fields that the revision has, within its limits', () => {
  const later = readDraft(full, image, 'B').ask
  expect(later).toEqual({
    kind: 'image',
    model: 'm',
    prompt: 'Fog',
    n: 4,
    quality: 'low',
    size: '1:1',
    resolution: '2K',
    negativePrompt: 'people',
    outputFormat: 'webp',
    seed: -7,
    extra: { steps: 30 },
    image,
    form: true,
    keepMetadata: true,
  })
  expect(jobAskSchema.parse(later)).toEqual(later)
  expect(readDraft(full, image, 'A').ask).toEqual({
    kind: 'image',
    model: 'm',
    prompt: 'Fog',
    n: 9,
    quality: 'low',
    size: '1:1',
    seed: -7,
    extra: { steps: 30 },
    image,
    keepMetadata: true,
  })
})

it('names the private conversation that its prompt or its image is from, and none for data that isn’t sent', () => {
  const attached = { conversationId: 'c2', attachmentId: 'a1', name: 'secret.png', privateOnly: true }
  const from = (draft: Partial<ImageDraft>, picture?: typeof attached) =>
    readDraft({ ...full, ...draft }, image, 'B', picture).ask
  expect(from({ from: { conversationId: 'c1' } })).toMatchObject({ from: { conversationId: 'c1' } })
  expect(from({}, attached)).toMatchObject({ from: { conversationId: 'c2', attachmentId: 'a1' } })
  expect(from({ from: { conversationId: 'c1' } }, attached)).toMatchObject({
    from: { conversationId: 'c1', attachmentId: 'a1' },
  })
  for (const none of [
    from({}, { ...attached, privateOnly: false }),
    from({ task: 'generate' }, attached),
    from({ task: 'upscale', from: { conversationId: 'c1' } }),
  ])
    expect(none).not.toHaveProperty('from')
})

it('omits the fields that upscaling doesn’t have', () => {
  expect(readDraft({ ...full, task: 'upscale', quality: '', resolution: '' }, image, 'B').ask).toEqual({
    kind: 'image',
    model: 'm',
    outputFormat: 'webp',
    seed: -7,
    extra: { steps: 30 },
    image,
    form: true,
    keepMetadata: true,
  })
})

it.each([
  ['a model', { ...full, model: ' ' }, image],
  ['words', { ...full, prompt: ' ' }, image],
  ['an image', full, undefined],
  ['a whole seed', { ...full, seed: '1.5' }, image],
  ['a seed that counts exactly', { ...full, seed: '9999999999999999' }, image],
  ['an object', { ...full, extra: '[1]' }, image],
  ['JSON', { ...full, extra: '{steps: 30}' }, image],
] as const)('creates no request without %s, and returns a notice', (_, draft, source) => {
  const { ask, missing } = readDraft(draft, source, 'B')
  expect(ask).toBeUndefined()
  expect(missing).toMatch(/to see the price\.$/)
})

it('includes no image of a previous task', () =>
  expect(readDraft({ ...emptyDraft, model: 'm', prompt: 'Fog' }, image, 'B').ask).toEqual({
    kind: 'image',
    model: 'm',
    prompt: 'Fog',
  }))

it('determines the tasks of a model by its input types, and by its name if these are unclear', () => {
  expect(tasksOf(model({ inputModalities: ['text'] }))).toEqual(['generate'])
  expect(tasksOf(model({ inputModalities: ['text', 'image'] }))).toEqual(['generate', 'edit'])
  expect(tasksOf(model({}))).toEqual(['generate', 'edit'])
  expect(tasksOf(model({ inputModalities: ['image'], name: 'Clarity Upscaler' }))).toEqual(['upscale'])
  expect(tasksOf(model({ id: 'x/background-remover' }))).toEqual(['cut-out'])
  expect(tasksOf(model({ inputModalities: ['image'] }))).toEqual(['upscale', 'cut-out'])
  // A name about backgrounds doesn't make a text-only model a background remover.
  expect(tasksOf(model({ inputModalities: ['text'], name: 'Background Painter' }))).toEqual(['generate'])
})

it('offers the values of the price tables, in their spelling, for any parameter', () => {
  const tables = [
    {
      by: 'quality' as const,
      of: { low: { by: 'resolution' as const, of: { '1K': '1', '4K': '2' } }, high: '3' },
    },
    { of: { '16:9': '1', hd: '2' } },
  ]
  expect(choicesOf(model({ mediaPrice: { tables } }))).toEqual({
    quality: ['low', 'high', 'hd'],
    resolution: ['1K', '4K'],
    size: ['16:9'],
  })
  expect(choicesOf(undefined)).toEqual({ quality: [], resolution: [], size: [] })
})
