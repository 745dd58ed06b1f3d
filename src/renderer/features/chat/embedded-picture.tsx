import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { readImageSize } from '../../../shared/image-size/read-image-size.ts'
import { isDecodable } from '../../../shared/image-size/size.ts'
import { useLanguage } from '../../ui/language/language.ts'
import styles from './markdown.module.css'

/** Characters of the longest picture inside a text that is shown: about a megabyte. */
const MAX_IMAGE = 1_400_000

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
