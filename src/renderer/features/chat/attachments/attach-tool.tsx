import { t } from '@lingui/core/macro'
import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { attachFiles } from './attached-store.ts'

/** Chooses files. Any kind may be chosen: whether it can be read is known once it was looked into. */
export function AttachTool({ draft, focusText }: { draft: string; focusText: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={t`Attach files`} onClick={() => input.current?.click()}>
        <Paperclip size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t`Files to attach`}
        onChange={({ target }) => {
          void attachFiles(draft, [...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
          focusText()
        }}
      />
    </>
  )
}
