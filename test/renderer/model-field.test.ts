// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { ModelField } from '../../src/renderer/ui/model-field.tsx'
import type { Model } from '../../src/shared/model.ts'
import { drawInPage } from './in-page.ts'

const model = (id: string): Model => ({ id, name: id, private: false, type: 'image' })

test('the model that a price is asked for is the one that is shown, also where the listing has it no more', () => {
  const field = (models: readonly Model[]) =>
    createElement(ModelField, {
      models,
      model: 'one/painter',
      nameOf: ({ name }) => name,
      unlisted: { label: 'Model', hint: '' },
      onChange: () => undefined,
    })
  const page = drawInPage(field([model('one/painter'), model('one/other')]))
  expect(screen.getByLabelText<HTMLSelectElement>('Model').selectedOptions[0]?.value).toBe('one/painter')
  expect(screen.queryByLabelText('Model ID')).toBeNull()
  page.rerender(field([model('two/painter')]))
  expect(screen.getByLabelText<HTMLSelectElement>('Model').selectedOptions[0]?.value).not.toMatch('/painter')
  expect(screen.getByLabelText<HTMLInputElement>('Model ID').value).toBe('one/painter')
})
