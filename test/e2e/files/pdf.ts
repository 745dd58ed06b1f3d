/** A PDF of pages with these lines; a page without lines holds none, as a scanned one does. */
export function pdfOf(pages: readonly string[]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${String(pages.length)} /Kids [${pages.map((_, at) => `${String(4 + 2 * at)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  for (const [at, text] of pages.entries()) {
    const content = text === '' ? '' : `BT /F1 12 Tf 40 700 Td (${text.replaceAll(/[\\()]/g, '\\$&')}) Tj ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${String(5 + 2 * at)} 0 R >>`,
      `<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`,
    )
  }
  return pdfWith(objects, '')
}

/** A PDF that requires a password: the standard handler, with keys that no password gives. */
export function encryptedPdf(): Buffer {
  const key = '00'.repeat(32)
  return pdfWith(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 0 /Kids [] >>',
      `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${key}> /U <${'ab'.repeat(32)}> >>`,
    ],
    `/Encrypt 3 0 R /ID [<${'11'.repeat(16)}> <${'11'.repeat(16)}>]`,
  )
}

/** A PDF with these objects, numbered from 1. The first one is its catalog. */
export function pdfWith(objects: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.4\n'
  const places: number[] = []
  for (const [at, object] of objects.entries()) {
    places.push(file.length)
    file += `${String(at + 1)} 0 obj\n${object}\nendobj\n`
  }
  const table = file.length
  const size = String(objects.length + 1)
  file += `xref\n0 ${size}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}`
  return Buffer.from(
    `${file}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${String(table)}\n%%EOF\n`,
    'latin1',
  )
}
