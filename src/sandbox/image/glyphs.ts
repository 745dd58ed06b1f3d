/** Three by five dots, row by row from the top, five octal digits: a hand's worth of letters. */
const glyphs: Readonly<Record<string, string>> = {
  a: '25755',
  b: '65656',
  c: '34443',
  d: '65556',
  e: '74647',
  f: '74644',
  g: '34553',
  h: '55755',
  i: '72227',
  j: '11152',
  k: '55655',
  l: '44447',
  m: '57755',
  n: '65555',
  o: '25552',
  p: '65644',
  q: '25563',
  r: '65655',
  s: '34216',
  t: '72222',
  u: '55557',
  v: '55552',
  w: '55775',
  x: '55255',
  y: '55222',
  z: '71247',
  0: '75557',
  1: '26227',
  2: '61247',
  3: '61216',
  4: '55711',
  5: '74616',
  6: '34757',
  7: '71122',
  8: '75757',
  9: '75716',
  '.': '00002',
  ',': '00024',
  '!': '22202',
  '?': '61202',
  '-': '00700',
}

export const glyphWidth = 3
export const glyphHeight = 5

/** Whether the dot is set; what has no glyph is blank, or a small square where it is no space. */
export function dotOf(character: string, x: number, y: number): boolean {
  const rows = glyphs[character] ?? (character.trim() === '' ? '00000' : '07770')
  return (Number(rows.charAt(y)) & (4 >> x)) !== 0
}

/** As it can be written: lower case, without accents, lines of at most `columns` characters. */
export function linesOf(text: string, columns: number, most: number): string[] {
  const lines: string[] = []
  for (const word of text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().split(/\s+/)) {
    const last = lines.at(-1)
    const cut = word.slice(0, columns)
    if (last !== undefined && last.length + 1 + cut.length <= columns)
      lines[lines.length - 1] = `${last} ${cut}`
    else lines.push(cut)
  }
  return lines.slice(0, most)
}
