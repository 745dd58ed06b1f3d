import { expect, test, vi } from 'vitest'
import type { Model } from '../../src/shared/model.ts'
import { draw, elements } from './drawn-hook.ts'

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)

const { ModelField } = await import('../../src/renderer/features/wallet/purchases/model-field.tsx')

const model = (id: string): Model => ({ id, name: id, private: false, type: 'image' })

test('the model that a price is asked for is the one that is shown, also where the listing has it no more', () => {
  const given = {
    models: [model('one/painter'), model('one/other')],
    model: 'one/painter',
    fault: undefined,
    onChange: () => undefined,
  }
  const drawn = draw(() => ModelField(given))
  const shown = () => {
    const all = [...elements(drawn.shown())]
    const chosen = all.find(({ label, value }) => label === 'Model' && value !== undefined)?.['value']
    const offered = all.flatMap(({ value, label, disabled }) =>
      label === undefined && disabled === undefined ? [value] : [],
    )
    return {
      listed: chosen === given.model && offered.includes(chosen),
      typed: all.some(({ label, value }) => label === 'Model ID' && value === given.model),
    }
  }
  expect(shown()).toEqual({ listed: true, typed: false })
  given.models = [model('two/painter')]
  drawn.again()
  expect(shown()).toEqual({ listed: false, typed: true })
})
