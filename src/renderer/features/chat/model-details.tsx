import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Model } from '../../../shared/model.ts'
import { formatList } from '../../ui/format/list.ts'
import { formatPrice, formatUsd } from '../../ui/format/money.ts'
import { formatCount, formatDecimal } from '../../ui/format/number.ts'
import { formatUtcDay } from '../../ui/format/time.ts'
import styles from './model-details.module.css'

/**
 * Every attribute that a listing can have (specification, Model listing attributes), and what else Sotto knows about
 * the model.
 */
export function ModelDetails({ model }: { model: Model }) {
  const { name } = model
  return (
    <section className={styles.details} tabIndex={0} aria-label={t`Details for ${name}`}>
      <dl>
        {attributesOf(model).map(([attribute, value]) => (
          <div key={attribute} className={styles.fact}>
            <dt>{attribute}</dt>
            <dd>
              {value ?? (
                <span className={styles.absent}>
                  <Trans>not reported</Trans>
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function attributesOf({
  id,
  name,
  provider,
  contextLength,
  addedAt,
  inputPerMillion,
  outputPerMillion,
  averageCost,
  promptsPerDollar,
  webSearch,
  inputModalities,
}: Model): [string, string | undefined][] {
  const tokens = contextLength === undefined ? undefined : formatCount(contextLength)
  const [input, output] = [rate(inputPerMillion), rate(outputPerMillion)]
  const search = webSearch === undefined ? undefined : formatPrice(webSearch)
  return [
    [t`Name`, name],
    [t`Model ID`, id],
    [t`Provider`, provider],
    [t`Maximum context`, tokens === undefined ? undefined : t`${tokens} tokens`],
    [t`Added`, addedAt === undefined ? undefined : formatUtcDay(addedAt)],
    [t`Input price`, input === undefined ? undefined : t`${input} per million tokens`],
    [t`Output price`, output === undefined ? undefined : t`${output} per million tokens`],
    [t`Average cost per request`, averageCost === undefined ? undefined : formatUsd(averageCost)],
    [
      t`Prompts per dollar`,
      promptsPerDollar === undefined
        ? undefined
        : formatDecimal(
            promptsPerDollar < 1e15
              ? promptsPerDollar.toFixed(promptsPerDollar < 10 ? 2 : 0)
              : String(promptsPerDollar),
          ),
    ],
    [t`Web search`, search === undefined ? undefined : t`${search} per request`],
    [t`Input types`, inputModalities && formatList(inputModalities)],
  ]
}

/** Some listings use a negative price for a variable price. */
function rate(pico: string | undefined): string | undefined {
  return pico === undefined || pico.startsWith('-') ? undefined : formatPrice(pico)
}
