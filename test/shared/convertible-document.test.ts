import { describe, expect, it } from 'vitest'
import { beginsLike, documentTypeOf } from '../../src/shared/convertible-document.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

describe('a document that can be converted', () => {
  it.each([
    ['a.pdf', 'application/pdf'],
    ['C:\\x\\A.PDF', 'application/pdf'],
    ['a.b.htm', 'text/html'],
    ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ])('%s is one by its ending', (name, type) => {
    expect(documentTypeOf(name)).toBe(type)
  })

  it.each(['pdf', 'a', 'a.txt', 'a.pdf.exe', 'a.doc', 'a.constructor', 'a.__proto__', ''])(
    '%j is none',
    (name) => {
      expect(documentTypeOf(name)).toBeUndefined()
    },
  )

  it('begins like its type', () => {
    const docx = documentTypeOf('a.docx') ?? ''
    expect([
      beginsLike('application/pdf', bytes('junk %PDF-1.7')),
      beginsLike(docx, bytes('PK\u0003\u0004…')),
      beginsLike('text/html', bytes('<p>')),
    ]).toEqual([true, true, true])
    expect([
      beginsLike('application/pdf', bytes('PK\u0003\u0004')),
      beginsLike(docx, bytes('%PDF-')),
      beginsLike('text/html', bytes('<\0')),
      beginsLike('text/html', bytes('')),
      beginsLike(docx, bytes('')),
    ]).toEqual([false, false, false, false, false])
  })
})
