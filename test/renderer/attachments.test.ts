import { expect, test } from 'vitest'
import type { Attachment } from '../../src/shared/attachment.ts'
import type { Model } from '../../src/shared/model.ts'
import { attachedTokens, historyTokens } from '../../src/renderer/features/chat/estimate.ts'
import {
  allAttachments,
  hasImages,
  modelsForImages,
  notSurelyForImages,
  takesImages,
  tooLarge,
} from '../../src/renderer/features/chat/attachments/what-is-sent.ts'

const image: Attachment = { id: 'i', name: 'i.png', kind: 'image', type: 'image/png', bytes: 12_000_000 }
const text: Attachment = { id: 't', name: 't.txt', kind: 'text', type: 'text/plain', bytes: 300, tokens: 100 }
const model = (id: string, more: Partial<Model> = {}): Model => ({
  id,
  name: id,
  private: id.startsWith('private/'),
  ...more,
})

test('what is sent is all files of the branch and of the draft', () => {
  expect(allAttachments([{ attachments: [image] }, {}], [text])).toEqual([image, text])
  expect([hasImages([text]), hasImages([text, image])]).toEqual([false, true])
})

test('a model takes images, takes none, or the listing does not say', () => {
  const [sees, blind, unreported] = [
    model('sees', { inputModalities: ['image'] }),
    model('blind', { inputModalities: ['text'] }),
    model('unsaid'),
  ]
  const not = (...asked: string[]) => notSurelyForImages([sees, unreported, blind], asked)?.id
  expect([not('sees'), not('unsaid', 'sees'), not('unsaid', 'blind'), not('unlisted')]).toEqual([
    undefined,
    'unsaid',
    'blind',
    undefined,
  ])
  expect([
    takesImages(model('a', { inputModalities: ['text', 'image'] })),
    takesImages(model('a', { inputModalities: ['text'] })),
    takesImages(model('a')),
    takesImages(undefined),
  ]).toEqual([true, false, undefined, undefined])
})

test('in its place only models are offered that are as private and surely take images, the largest context first', () => {
  const vision = { inputModalities: ['text', 'image'] }
  const models = [
    model('open/vision', vision),
    model('private/small', { ...vision, contextLength: 10 }),
    model('private/large', { ...vision, contextLength: 20 }),
    model('private/unsaid'),
    model('private/images', { ...vision, type: 'image' }),
  ]
  expect(modelsForImages(models, model('private/blind')).map(({ id }) => id)).toEqual([
    'private/large',
    'private/small',
  ])
  expect(modelsForImages(models, model('open/blind')).map(({ id }) => id)).toEqual(['open/vision'])
})

test('images count in base64 towards the size of a request, and by their pixels towards its tokens', () => {
  expect([tooLarge([image, image, image]), tooLarge([image, image, image, text])]).toEqual([false, true])
  expect(attachedTokens([{ ...image, width: 1000, height: 750 }, text])).toBe(1100)
  expect(attachedTokens([{ ...image, width: 9000, height: 9000 }])).toBe(1600)
  const message = {
    id: 'm',
    conversationId: 'c',
    role: 'user',
    text: 'abc',
    state: 'complete',
    createdAt: 1,
  } as const
  expect(historyTokens([{ ...message, attachments: [text] }]) - historyTokens([message])).toBe(100)
})
