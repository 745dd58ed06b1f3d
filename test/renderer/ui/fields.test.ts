// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement, useState, type ComponentProps } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { CheckField } from '../../../src/renderer/ui/check-field.tsx'
import { ComboboxField } from '../../../src/renderer/ui/combobox-field.tsx'
import { DropZone } from '../../../src/renderer/ui/drop-zone.tsx'
import { Field, Form } from '../../../src/renderer/ui/field.tsx'
import { SelectField } from '../../../src/renderer/ui/select.tsx'
import { SliderField } from '../../../src/renderer/ui/slider-field.tsx'
import { TextAreaField } from '../../../src/renderer/ui/text-area-field.tsx'
import { drawInPage } from '../in-page.ts'

/** What a screen reader reads after the name and the value. */
const descriptionOf = (control: HTMLElement) =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)

it('a form is submitted without the messages of the browser', () => {
  const onSubmit = vi.fn()
  drawInPage(
    createElement(
      Form,
      { onSubmit },
      createElement(Field, { label: 'Amount', required: true }),
      createElement('button', undefined, 'Send'),
    ),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(onSubmit).toHaveBeenCalledOnce()
})

describe('a field', () => {
  it.each([
    ['text', () => createElement(Field, { label: 'Amount', hint: 'In dollars.', fault: 'Too much.' })],
    [
      'lines',
      () => createElement(TextAreaField, { label: 'Amount', hint: 'In dollars.', fault: 'Too much.' }),
    ],
    [
      'choice',
      () => createElement(SelectField, { label: 'Amount', hint: 'In dollars.', fault: 'Too much.' }),
    ],
  ])('of %s has a label, and its hint and fault describe it', (_kind, field) => {
    drawInPage(field())
    const control = screen.getByLabelText('Amount')
    expect(descriptionOf(control)).toEqual(['In dollars.', 'Too much.'])
    expect(control.getAttribute('aria-invalid')).toBe('true')
  })

  it('without a fault is valid and has no description', () => {
    drawInPage(createElement(Field, { label: 'Amount' }))
    const control = screen.getByLabelText('Amount')
    expect(control.getAttribute('aria-invalid')).toBe('false')
    expect(control.hasAttribute('aria-describedby')).toBe(false)
  })

  it('of a tick reports the new state', () => {
    const onTick = vi.fn()
    drawInPage(createElement(CheckField, { label: 'Images', checked: false, onTick }))
    fireEvent.click(screen.getByLabelText('Images'))
    expect(onTick).toHaveBeenCalledExactlyOnceWith(true)
  })
})

describe('a slider with a number', () => {
  const draw = (value: string) => {
    const onChange = vi.fn()
    drawInPage(
      createElement(SliderField, {
        label: 'Top P',
        value,
        onChange,
        min: 0,
        max: 1,
        step: 0.1,
        unset: 'default',
        rest: 1,
      }),
    )
    return { onChange, slider: screen.getByRole<HTMLInputElement>('slider', { name: 'Top P' }) }
  }

  it.each([
    ['0,5', '0.5', null],
    ['7', '1', null],
    ['', '1', 'default'],
    ['much', '1', 'default'],
  ])('shows “%s” at %s', (value, at, valueText) => {
    const { slider } = draw(value)
    expect(slider.value).toBe(at)
    expect(slider.getAttribute('aria-valuetext')).toBe(valueText)
  })

  it('changes the text, which takes any precision', () => {
    const { onChange, slider } = draw('0.123')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Top P' }).value).toBe('0.123')
    fireEvent.change(slider, { target: { value: '0.4' } })
    expect(onChange).toHaveBeenCalledExactlyOnceWith('0.4')
  })
})

describe('a field with suggestions', () => {
  const onCommit = vi.fn()
  function Form() {
    const [value, setValue] = useState('')
    const options = ['alpha', 'beta', 'alphabet']
    return createElement(ComboboxField, { label: 'Model', value, options, onChange: setValue, onCommit })
  }
  const draw = () => {
    onCommit.mockClear()
    drawInPage(createElement(Form))
    return screen.getByRole<HTMLInputElement>('combobox', { name: 'Model' })
  }
  const offered = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)

  it('lists what contains the text, and takes the one that the arrow keys reached', () => {
    const field = draw()
    fireEvent.change(field, { target: { value: 'ALPHA' } })
    expect(offered()).toEqual(['alpha', 'alphabet'])
    for (const key of ['ArrowDown', 'ArrowDown']) fireEvent.keyDown(field, { key })
    const active = field.getAttribute('aria-activedescendant') ?? ''
    expect(document.getElementById(active)?.textContent).toBe('alphabet')
    fireEvent.keyDown(field, { key: 'Enter' })
    expect([field.value, offered()]).toEqual(['alphabet', []])
    expect(onCommit).toHaveBeenCalledExactlyOnceWith('alphabet')
  })

  it('takes another text, and Escape closes the list only', () => {
    const field = draw()
    fireEvent.change(field, { target: { value: 'be' } })
    fireEvent.keyDown(field, { key: 'Escape' })
    expect([field.value, offered()]).toEqual(['be', []])
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(onCommit).toHaveBeenCalledExactlyOnceWith('be')
  })
})

describe('a place for files', () => {
  const files = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')]
  const draw = (part: Partial<ComponentProps<typeof DropZone>>) => {
    const onFiles = vi.fn()
    drawInPage(createElement(DropZone, { label: 'Documents', onFiles, ...part }))
    fireEvent.drop(screen.getByTestId('file-place'), { dataTransfer: { files, types: ['Files'] } })
    return onFiles.mock.calls.map(([chosen]: File[][]) => chosen?.map(({ name }) => name))
  }

  it.each([
    ['one file', {}, [['a.txt']]],
    ['several files', { takes: 'files' as const }, [['a.txt', 'b.txt']]],
    ['none for a folder', { takes: 'folder' as const }, []],
    ['none while disabled', { disabled: true }, []],
  ])('takes %s', (_what, part, expected) => expect(draw(part)).toEqual(expected))
})
