import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { gridValues, hasAxisLabel, totalOf, type ChartColumn } from './chart-scale.ts'
import { classNames } from './class-names.ts'
import { formatList } from './format/list.ts'
import styles from './stacked-chart.module.css'

/** The colors of the ramp, from the base line upwards. */
const fills = [styles.first, styles.second, styles.third, styles.fourth] as const

/**
 * Columns of stacked values, such as the cost of each day by model. The first column is at the start, and every seventh
 * has a label. Arrow keys move between the columns. The tooltip shows the values of one.
 *
 * @param series the names of the series, at most four, because more look alike
 * @param format formats a value, and a grid line if `grid` is true
 * @param onPress makes each column a button. It gets the index of the column
 */
export function StackedChart({
  label,
  series,
  columns,
  format,
  onPress,
}: {
  label: string
  series: readonly string[]
  columns: readonly ChartColumn[]
  format: (value: number, grid?: boolean) => string
  onPress?: (index: number) => void
}) {
  const [shown, setShown] = useState<number>()
  const plot = useRef<HTMLDivElement>(null)
  const lines = gridValues(Math.max(0, ...columns.map(totalOf)))
  const top = lines.at(-1) ?? 1
  const stop = Math.min(shown ?? columns.length - 1, columns.length - 1)
  const pressed = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: stop - 1,
      ArrowRight: stop + 1,
      Home: 0,
      End: columns.length - 1,
    }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    const index = Math.min(columns.length - 1, Math.max(0, to))
    plot.current?.querySelectorAll<HTMLElement>('[data-column]')[index]?.focus()
  }
  return (
    <div className={styles.chart}>
      <div className={styles.grid} aria-hidden>
        {lines.toReversed().map((value) => (
          <div key={value} className={styles.line}>
            <span>{format(value, true)}</span>
          </div>
        ))}
      </div>
      <div
        ref={plot}
        className={styles.plot}
        role="group"
        aria-label={label}
        onKeyDown={pressed}
        onMouseLeave={() => setShown(undefined)}
      >
        {columns.map((each, index) => (
          <div key={each.id} className={styles.column}>
            <Stack
              label={`${each.name}: ${inWords(each, series, format)}`}
              isStop={index === stop}
              onShow={() => setShown(index)}
              onHide={() => setShown(undefined)}
              onPress={onPress && (() => onPress(index))}
            >
              {each.values.map((value, at) => (
                <span
                  key={series[at]}
                  className={fills[at]}
                  style={{ height: value > 0 ? `max(1px, ${(value / top) * 100}%)` : 0 }}
                />
              ))}
            </Stack>
            {hasAxisLabel(index) && (
              <span className={styles.label} aria-hidden>
                {each.axis}
              </span>
            )}
            {index === shown && (
              <Tooltip
                column={each}
                series={series}
                format={format}
                before={index >= 8 && index >= columns.length / 2}
              />
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

/** The parts of a column; a button if it can be pressed. */
function Stack({
  label,
  isStop,
  onShow,
  onHide,
  onPress,
  children,
}: {
  label: string
  isStop: boolean
  onShow: () => void
  onHide: () => void
  onPress: (() => void) | undefined
  children: ReactNode
}) {
  const props = {
    'data-column': true,
    className: styles.press,
    'aria-label': label,
    tabIndex: isStop ? 0 : -1,
    onMouseEnter: onShow,
    onFocus: onShow,
    onBlur: onHide,
    children: <span className={styles.stack}>{children}</span>,
  }
  return onPress ? <button type="button" onClick={onPress} {...props} /> : <div role="img" {...props} />
}

/** Next to its column, towards the middle of the chart. */
function Tooltip({
  column: { name, values, note },
  series,
  format,
  before,
}: {
  column: ChartColumn
  series: readonly string[]
  format: (value: number) => string
  before: boolean
}) {
  return (
    <div className={classNames(styles.tooltip, before && styles.before)} aria-hidden data-testid="tooltip">
      <strong>{name}</strong>
      <span>{format(totalOf({ values }))}</span>
      {values.map((value, at) =>
        value > 0 ? (
          <span key={series[at]} className={styles.part}>
            <i className={fills[at]} />
            <span className={styles.name}>
              {series[at]} {format(value)}
            </span>
          </span>
        ) : null,
      )}
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </div>
  )
}

/** The names of the series with their colors. */
export function ChartLegend({ series }: { series: readonly string[] }) {
  return (
    <ul className={styles.legend}>
      {series.map((name, at) => (
        <li key={name}>
          <i className={fills[at]} />
          {name}
        </li>
      ))}
    </ul>
  )
}

function inWords(column: ChartColumn, series: readonly string[], format: (value: number) => string): string {
  const parts = column.values.flatMap((value, at) =>
    value > 0 ? `${series[at] ?? ''} ${format(value)}` : [],
  )
  return formatList([format(totalOf(column)), ...parts, column.note ?? ''])
}
