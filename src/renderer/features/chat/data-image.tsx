import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { readImageSize } from '../../../shared/image-size/read-image-size.ts'
import { isDecodable } from '../../../shared/image-size/size.ts'
import { useLanguage } from '../../ui/language/language.ts'
import styles from './markdown.module.css'

/** Characters of the longest picture inside a text that is shown: about a megabyte. */
const MAX_IMAGE = 1_400_000

const OPENING = /!\[([^[\]\n]{0,1000})\]\((?=data:image\/(?:png|jpeg|gif|webp|avif);base64,)/g
const ADDRESS = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/]+={0,2}$/i

/** Whether an address holds a picture of a kind that can hold no script. */
export function isDataImage(address: string): boolean {
  return ADDRESS.test(address)
}

export interface ImageInText {
  readonly from: number
  /** Undefined until its end has come. */
  readonly to: number | undefined
  readonly alt: string
  readonly address: string
}

/** The first picture that a text holds in itself. */
export function imageIn(text: string): ImageInText | undefined {
  if (!text.includes('](data:image/')) return undefined
  for (const { index, 0: opening, 1: alt = '' } of text.matchAll(OPENING)) {
    const start = index + opening.length
    const close = text.indexOf(')', start)
    const address = text.slice(start, close === -1 ? undefined : close)
    if (close === -1 ? !/[\s(<]/.test(address) : isDataImage(address))
      return { from: index, to: close === -1 ? undefined : close + 1, alt, address }
  }
  return undefined
}

/** The picture that a block is, and nothing else. */
export function imageBlock(block: string): ImageInText | undefined {
  if (!block.startsWith('![')) return undefined
  const image = imageIn(block)
  return image?.from === 0 && image.to === block.length ? image : undefined
}

/** Whether the browser may decode a picture. Its header tells, before anything is decoded. */
function checkPicture(address: string): 'shown' | 'too-large' | 'damaged' {
  if (address.length > MAX_IMAGE) return 'too-large'
  try {
    const coded = atob(address.slice(address.indexOf(',') + 1))
    const size = readImageSize(Uint8Array.from(coded, (character) => character.charCodeAt(0)))
    if (!size) return 'damaged'
    return isDecodable(size) ? 'shown' : 'too-large'
  } catch {
    return 'damaged'
  }
}

/** A picture that is part of the text itself, so that nothing is fetched. */
export function Picture({ address, alt }: { address: string; alt: string }) {
  useLanguage()
  const state = useMemo(() => checkPicture(address), [address])
  if (state === 'shown') return <img className={styles.picture} src={address} alt={alt} />
  const [unnamed, named] =
    state === 'too-large'
      ? [t`Image too large to show`, t`Image too large to show: ${alt}`]
      : [t`Damaged image`, t`Damaged image: ${alt}`]
  return <span className={styles.chip}>{alt === '' ? unnamed : named}</span>
}
