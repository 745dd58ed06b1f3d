import { expect, it } from 'vitest'
import { autostartEntry } from '../../src/main/autostart-entry.ts'

const exec = (program: string): string | undefined =>
  autostartEntry(program)
    .split('\n')
    .find((line) => line.startsWith('Exec='))

it.each([
  ['/opt/sotto/sotto-desktop', 'Exec="/opt/sotto/sotto-desktop" --hidden'],
  ['/home/me/My Apps/Sotto.AppImage', 'Exec="/home/me/My Apps/Sotto.AppImage" --hidden'],
  ['/home/me/100%/$HOME', 'Exec="/home/me/100%%/\\\\$HOME" --hidden'],
  ['/tmp/`x`"y"', 'Exec="/tmp/\\\\`x\\\\`\\\\"y\\\\"" --hidden'],
  ['/tmp/a\\b', 'Exec="/tmp/a\\\\\\\\b" --hidden'],
])('names the program as one argument for any path: %s', (program, line) => expect(exec(program)).toBe(line))

it('refuses a path with control characters', () => {
  expect(() => autostartEntry('/tmp/x\nExec=evil')).toThrow('control characters')
})
