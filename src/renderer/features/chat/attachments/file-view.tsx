import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState, type ReactNode } from 'react'
import type { Attachment } from '../../../../shared/attachment.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import styles from './attachments.module.css'
import { factsOf } from './file-facts.ts'
import { useContent } from './use-content.ts'

/** Characters that are shown at once. More follow on a click, so that a long file doesn't freeze the window. */
const PART = 100_000

export interface FileViewProps {
  attachment: Attachment
  onClose: () => void
  /** Actions on the file, shown in the dialog. */
  actions?: ReactNode
}

/** Shows the file as the model receives it. */
export function FileView({ attachment, onClose, actions }: FileViewProps) {
  const { blob, url, failure } = useContent(attachment.id)
  const facts = factsOf(attachment)
  const isImage = attachment.kind === 'image'
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={attachment.name}
      says={
        isImage
          ? t`${facts}. Metadata such as location and camera was removed.`
          : t`${facts}. This is the text sent to the model.`
      }
    >
      {failure && <FailureNote failure={failure} />}
      {!blob && !failure && (
        <p role="status">
          <Trans>Opening file…</Trans>
        </p>
      )}
      {url !== undefined && isImage && <img className={styles.picture} src={url} alt={attachment.name} />}
      {blob && !isImage && <TextContent blob={blob} />}
      {actions && <DialogActions>{actions}</DialogActions>}
    </Dialog>
  )
}

function TextContent({ blob }: { blob: Blob }) {
  const [text, setText] = useState<string>()
  const [shown, setShown] = useState(PART)
  useEffect(() => {
    let left = false
    void blob.text().then((read) => {
      if (!left) setText(read)
    })
    return () => {
      left = true
    }
  }, [blob])
  if (text === undefined) return null
  return (
    <>
      <pre className={styles.text} dir="auto" tabIndex={0} aria-label={t`File text`}>
        {text.slice(0, shown)}
      </pre>
      {text.length > shown && (
        <button type="button" className={styles.more} onClick={() => setShown(shown + PART)}>
          <Trans>Show more</Trans>
        </button>
      )}
    </>
  )
}
