import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { Purchase } from '../../../../shared/purchase.ts'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { asFailure } from '../../../ui/failure.ts'
import { formatBytes } from '../../../ui/format/number.ts'
import { saveBlob } from '../../../ui/save-file.ts'
import { fileNameOf, shownTypeOf, SIGNATURE_BYTES, type ShownType } from './media-type.ts'
import { endpointNames, fromWords } from './purchase-words.ts'
import styles from './purchases.module.css'
import { Skeleton } from '../../../ui/skeleton.tsx'

interface Opened {
  readonly blob: Blob
  /** Absent if the file isn't shown, only saved unchanged. */
  readonly type: ShownType | undefined
  readonly address: string
}

/**
 * A delivered file: shown if its first bytes identify a picture or a video, and saved unchanged. `index`: its
 * ID in the core; `place`: the number of files before it.
 */
export function DeliveredFile({
  purchase,
  index,
  place,
}: {
  purchase: Purchase
  index: number
  place: number
}) {
  const { id, endpoint, subject, at } = purchase
  const [opened, setOpened] = useState<Opened>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    const left = new AbortController()
    let address: string | undefined
    const open = async () => {
      const blob = await api.purchases.file({ purchaseId: id, index }, { signal: left.signal })
      const type = shownTypeOf(new Uint8Array(await blob.slice(0, SIGNATURE_BYTES).arrayBuffer()))
      if (left.signal.aborted) return
      // Use only the detected type. A file without a detected type is saved as bytes.
      const typed = new Blob([blob], { type: type ?? 'application/octet-stream' })
      address = URL.createObjectURL(typed)
      setOpened({ blob: typed, type, address })
    }
    open().catch((thrown: unknown) => {
      if (!left.signal.aborted) setFailure(asFailure(thrown))
    })
    return () => {
      left.abort()
      if (address !== undefined) URL.revokeObjectURL(address)
    }
  }, [id, index])
  if (failure) return <FailureNote failure={failure} />
  if (!opened) return <Skeleton label={t`Loading…`} />
  const { blob, type, address } = opened
  const number = purchase.files.length > 1 ? ` ${place + 1}` : ''
  return (
    <figure className={styles.media}>
      {type?.startsWith('image/') && (
        <img src={address} alt={fromWords(`${endpointNames[endpoint]}${number}`, subject)} />
      )}
      {type?.startsWith('video/') && (
        <video
          src={address}
          controls
          preload="metadata"
          aria-label={fromWords(`${endpointNames.videos}${number}`, subject)}
        />
      )}
      {type === undefined && (
        <p className={styles.means}>
          <Trans>Sotto can’t safely display this file as an image or video. You can still save it.</Trans>
        </p>
      )}
      <figcaption className={styles.actions}>
        <Button onClick={() => saveBlob(fileNameOf(subject, at, place, type), blob)}>
          <Trans>Save{number}…</Trans>
        </Button>
        <span className={styles.hint}>
          {type ?? t`unknown type`}, {formatBytes(blob.size)}
        </span>
      </figcaption>
    </figure>
  )
}
