import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { formatCount } from '../../../ui/format/number.ts'
import styles from './embeddings.module.css'
import { HeatMap } from './heat-map.tsx'
import { Neighbours } from './neighbours.tsx'
import { useSimilarity } from './use-similarity.ts'
import type { Vectors } from './use-vectors.ts'
import { VectorMap } from './vector-map.tsx'

/** The results of the vectors: the nearest texts, their similarity, and a map of all texts. */
export function SimilarityViews({ vectors }: { vectors: Vectors }) {
  const { labels, total } = vectors
  const [picked, setPicked] = useState(0)
  const chosen = Math.min(picked, labels.length - 1)
  const { plane, around, failed } = useSimilarity(vectors, chosen)
  const near = useMemo(() => around?.neighbours.slice(0, 10).map(({ index }) => index) ?? [], [around])
  const shown = formatCount(labels.length)
  const all = formatCount(total)
  return (
    <>
      {labels.length < total && (
        <p
          className={styles.quiet}
        >{t`Only the first ${shown} of ${all} texts are analyzed here. Saved files include all of them.`}</p>
      )}
      {failed && (
        <p role="alert">{t`The browser stopped the calculation. The vectors aren’t lost, and you can save them.`}</p>
      )}
      <section aria-label={t`Nearest neighbors`} className={styles.view}>
        <h2>
          <Trans>Nearest neighbors</Trans>
        </h2>
        <Neighbours labels={labels} chosen={chosen} neighbours={around?.neighbours} onChosen={setPicked} />
      </section>
      <div className={styles.pictures}>
        <section aria-label={t`Similarity heat map`} className={styles.view}>
          <h2>
            <Trans>Similarity</Trans>
          </h2>
          {around ? (
            <HeatMap
              labels={[chosen, ...around.neighbours.map(({ index }) => index)].map(
                (index) => labels[index] ?? '',
              )}
              matrix={around.matrix}
            />
          ) : (
            <Calculating />
          )}
        </section>
        <section aria-label={t`Map`} className={styles.view}>
          <h2>
            <Trans>Map</Trans>
          </h2>
          {plane ? (
            <VectorMap labels={labels} plane={plane} chosen={chosen} near={near} onChosen={setPicked} />
          ) : (
            <Calculating />
          )}
        </section>
      </div>
    </>
  )
}

function Calculating() {
  return (
    <p className={styles.quiet} role="status">
      <Trans>Calculating…</Trans>
    </p>
  )
}
