const OPENING = /!\[([^[\]\n]{0,1000})\]\((?=data:image\/(?:png|jpeg|gif|webp|avif);base64,)/g
const TAG = /<img\s(?:[^<>]{0,500}\s)?src=(["'])(?=data:image\/(?:png|jpeg|gif|webp|avif);base64,)/gi
const TAG_END = /^[^<>]{0,500}>/
const ALT = /\salt=(?:"([^"]*)"|'([^']*)')/i
const ADDRESS = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/]+={0,2}$/i

/** Whether an address holds a picture of a kind that can hold no script. */
export function isDataImage(address: string): boolean {
  return ADDRESS.test(address)
}

export interface ImageInText {
  readonly from: number
  /** Undefined until the end of the image arrives. */
  readonly to: number | undefined
  readonly alt: string
  readonly address: string
}

/** The first picture that a text holds in itself, as Markdown or as a tag. */
export function imageIn(text: string): ImageInText | undefined {
  if (!text.includes('data:image/')) return undefined
  const [markdown, tag] = [markdownImageIn(text), tagImageIn(text)]
  return !tag || (markdown && markdown.from < tag.from) ? markdown : tag
}

function markdownImageIn(text: string): ImageInText | undefined {
  for (const { index, 0: opening, 1: alt = '' } of text.matchAll(OPENING)) {
    const start = index + opening.length
    const close = text.indexOf(')', start)
    const address = text.slice(start, close === -1 ? undefined : close)
    if (close === -1 ? !/[\s(<]/.test(address) : isDataImage(address))
      return { from: index, to: close === -1 ? undefined : close + 1, alt, address }
  }
  return undefined
}

function tagImageIn(text: string): ImageInText | undefined {
  for (const { index, 0: opening, 1: quote = '"' } of text.matchAll(TAG)) {
    const start = index + opening.length
    const close = text.indexOf(quote, start)
    const address = text.slice(start, close === -1 ? undefined : close)
    const [rest] = close === -1 ? [] : (TAG_END.exec(text.slice(close + 1, close + 502)) ?? [])
    const isGrowing =
      close === -1 ? !/[\s(<]/.test(address) : text.length <= close + 501 && rest === undefined
    const { 1: double, 2: single } = ALT.exec(`${opening} ${rest ?? ''}`) ?? ['']
    const alt = double ?? single ?? ''
    if (isGrowing) return { from: index, to: undefined, alt, address }
    if (rest !== undefined && isDataImage(address))
      return { from: index, to: close + 1 + rest.length, alt, address }
  }
  return undefined
}

/** The picture that a block is, and nothing else. */
export function imageBlock(block: string): ImageInText | undefined {
  if (!/^(?:!\[|<img\s)/i.test(block)) return undefined
  const image = imageIn(block)
  return image?.from === 0 && image.to === block.length ? image : undefined
}
