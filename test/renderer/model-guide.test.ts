import { describe, expect, it } from 'vitest'
import {
  capabilitiesOf,
  cheapestIds,
  followGuide,
  type Guide,
} from '../../src/renderer/features/chat/model-guide.ts'
import type { Model } from '../../src/shared/model.ts'

const model = (id: string, price?: number, part: Partial<Model> = {}): Model => ({
  id,
  name: id,
  private: id.startsWith('private/'),
  ...(price !== undefined && { inputPerMillion: String(price), outputPerMillion: String(price) }),
  ...part,
})
const models = [
  model('private/large', 9, { supportedParameters: ['reasoning_effort', 'tools'] }),
  model('private/gemma-mini', 1, { inputModalities: ['text', 'image'] }),
  model('private/other', 5),
  model('acme/flash-2', 2),
  model('acme/minimal', 3),
  model('acme/variable', -1),
  model('acme/unpriced', undefined, { supportedParameters: ['reasoning'] }),
]

describe('the guide of the model picker', () => {
  it.each<[Guide, readonly string[]]>([
    ['all', models.map(({ id }) => id)],
    ['smart', ['private/large', 'acme/unpriced']],
    // “minimal” isn’t “mini”.
    ['fast', ['private/gemma-mini', 'acme/flash-2']],
    ['cheap', ['private/gemma-mini', 'acme/flash-2']],
  ])('%s shows %j', (guide, ids) => expect(followGuide(models, guide).map(({ id }) => id)).toEqual(ids))

  it('finds no cheap model if no price is known', () =>
    expect(followGuide([model('a'), model('b', -1)], 'cheap')).toEqual([]))

  it('marks the cheapest of each kind, among at least three', () => {
    expect(cheapestIds(models)).toEqual(['private/gemma-mini'])
    expect(cheapestIds([...models, model('acme/tiny', 1)])).toEqual(['private/gemma-mini', 'acme/tiny'])
  })

  it('names only the capabilities that the listing declares', () => {
    expect(models.map(capabilitiesOf)).toEqual([
      ['reasoning', 'tools'],
      ['images'],
      [],
      [],
      [],
      [],
      ['reasoning'],
    ])
  })
})
