import type { Answered, Asked } from './use-similarity.ts'
import { matrixOf, neighboursOf, planeOf, unitOf, type Unit } from './similarity.ts'

let unit: Unit | undefined

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  if (data.ask === 'plane') {
    unit = unitOf(data.values, data.dimensions)
    tell({ answer: 'plane', plane: planeOf(unit) })
    return
  }
  if (!unit) return
  const neighbours = neighboursOf(unit, data.index, data.most)
  tell({
    answer: 'around',
    turn: data.turn,
    around: { neighbours, matrix: matrixOf(unit, [data.index, ...neighbours.map(({ index }) => index)]) },
  })
})

function tell(answered: Answered): void {
  postMessage(answered)
}
