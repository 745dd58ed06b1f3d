// @vitest-environment happy-dom
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { FileNotes } from '../../../src/renderer/files/read-file.ts'
import { ReadingNotes } from '../../../src/renderer/features/chat/attachments/reading-dialogs.tsx'
import { drawInPage } from '../in-page.ts'

const notesOf = (notes: FileNotes) =>
  drawInPage(createElement(ReadingNotes, { file: { key: '1', name: 'a.pdf', notes }, onChoose: vi.fn() }))
    .container.textContent

test('pages without text are named, with what to do instead of recognition', () => {
  expect(notesOf({ pagesWithoutText: [2, 3, 4, 7] })).toMatch(
    /^No text found on pages 2–4, 7\s*Run text recognition \(OCR\) in another program\./,
  )
})

test('a file whose pages all have text has neither', () => {
  expect(notesOf({ animated: true })).toBe('Animated. A model may see only the first frame.')
  expect(notesOf({ pagesWithoutText: [] })).toBe('')
})

test.each([
  [false, 'Encoding guessed: Windows-1251'],
  [true, 'Encoding: Windows-1251'],
])('an encoding is named, and a guess is marked (sure: %s)', (sure, note) => {
  expect(notesOf({ encoding: { encoding: 'windows-1251', sure, others: ['utf-8'] } })).toBe(note)
})
