// @vitest-environment happy-dom
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { FileNotes } from '../../../src/renderer/files/read-file.ts'
import { ReadingNotes } from '../../../src/renderer/features/chat/attachments/reading-dialogs.tsx'
import { drawInPage } from '../in-page.ts'

const notesOf = (notes: FileNotes) =>
  drawInPage(createElement(ReadingNotes, { file: { key: '1', name: 'a.pdf', notes }, onChoose: vi.fn() }))
    .container.textContent

test('pages without text are named, and recognized text is marked', () => {
  expect(notesOf({ pagesWithoutText: [2, 3, 4, 7] })).toBe('No text found on pages 2–4, 7')
  expect(notesOf({ recognizedPages: [5] })).toBe('Text of page 5 was recognized and may contain errors.')
  expect(notesOf({ recognizedPages: [1, 2, 4] })).toBe(
    'Text of pages 1–2, 4 was recognized and may contain errors.',
  )
  expect(notesOf({ recognized: true })).toBe('Recognized text. It may contain errors.')
})

test('a file whose pages all have text has no note about pages', () => {
  expect(notesOf({ animated: true })).toBe('Animated. A model may see only the first frame.')
  expect(notesOf({ pagesWithoutText: [] })).toBe('')
})

test.each([
  [false, 'Encoding guessed: Windows-1251'],
  [true, 'Encoding: Windows-1251'],
])('an encoding is named, and a guess is marked (sure: %s)', (sure, note) => {
  expect(notesOf({ encoding: { encoding: 'windows-1251', sure, others: ['utf-8'] } })).toBe(note)
})
