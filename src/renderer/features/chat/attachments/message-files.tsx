import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Attachment } from '../../../../shared/attachment.ts'
import { useLanguage } from '../../../ui/language/language.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { UsePictureInStudio } from '../use-in-studio.tsx'
import styles from './attachments.module.css'
import { factsOf } from './file-facts.ts'
import { FileSign } from './file-sign.tsx'
import type { FileViewProps } from './file-view.tsx'

// A file of its own would add to the first load of the window.
export { SentPassages } from '../passages/sent-passages.tsx'

const FileView = lazyComponent<FileViewProps>(async () => (await import('./file-view.tsx')).FileView)

/** The files of a message; each opens as it was sent. */
export function MessageFiles({
  attachments,
  conversationId,
}: {
  attachments: readonly Attachment[]
  conversationId: string
}) {
  useLanguage()
  const [viewed, setViewed] = useState<Attachment>()
  return (
    <>
      <ul className={styles.sent} aria-label={t`Attached files`}>
        {attachments.map((attachment) => {
          const { id, name } = attachment
          return (
            <li key={id} className={styles.chip}>
              <button
                type="button"
                className={styles.open}
                onClick={() => setViewed(attachment)}
                title={t`Show ${name}`}
              >
                <FileSign attachment={attachment} />
                <span className={styles.words}>
                  <span className={styles.name} dir="auto">
                    {name}
                  </span>{' '}
                  <span className={styles.facts}>{factsOf(attachment)}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {viewed && (
        <FileView
          attachment={viewed}
          onClose={() => setViewed(undefined)}
          actions={
            viewed.kind === 'image' && (
              <UsePictureInStudio attachment={viewed} conversationId={conversationId} />
            )
          }
        />
      )}
    </>
  )
}
