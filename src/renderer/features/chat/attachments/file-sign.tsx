import { FileText, FileType, ImageOff } from 'lucide-react'
import type { Attachment } from '../../../../shared/attachment.ts'
import styles from './attachments.module.css'
import { useContent } from './use-content.ts'

/** A thumbnail for an image, an icon of its kind for any other file. */
export function FileSign({ attachment }: { attachment: Attachment }) {
  if (attachment.kind === 'image') return <Thumbnail attachment={attachment} />
  const Sign = attachment.kind === 'pdf' ? FileType : FileText
  return (
    <span className={styles.sign}>
      <Sign size={16} strokeWidth={1.75} aria-hidden />
    </span>
  )
}

function Thumbnail({ attachment }: { attachment: Attachment }) {
  const { url, failure } = useContent(attachment.id)
  if (failure)
    return (
      <span className={styles.sign}>
        <ImageOff size={16} strokeWidth={1.75} aria-hidden />
      </span>
    )
  // The image needs no alternative text, because its name is next to it.
  return url === undefined ? (
    <span className={styles.sign} />
  ) : (
    <img className={styles.thumbnail} src={url} alt="" />
  )
}
