import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'

interface Content {
  readonly blob?: Blob
  /** An object URL of this window, valid while the content is shown. */
  readonly url?: string
  readonly failure?: Failure
}

/** The content of an attachment, from the core. */
export function useContent(attachmentId: string): Content {
  const [content, setContent] = useState<Content>({})
  useEffect(() => {
    const stop = new AbortController()
    let url: string | undefined
    api.attachments.get({ attachmentId }, { signal: stop.signal }).then(
      (blob) => {
        if (stop.signal.aborted) return
        url = URL.createObjectURL(blob)
        setContent({ blob, url })
      },
      (thrown: unknown) => {
        if (!stop.signal.aborted) setContent({ failure: asFailure(thrown) })
      },
    )
    return () => {
      stop.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [attachmentId])
  return content
}
