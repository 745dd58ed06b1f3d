import { execFileSync } from 'node:child_process'
import { basename, dirname } from 'node:path'

/**
 * Packs an unpacked app with the system's tar, below one folder with the name of the archive. electron-builder would
 * download 7-Zip for it.
 * @param app the unpacked app
 * @param output a path that ends in .tar.gz
 * @param seconds Unix time of all files
 */
export function buildTar(app: string, output: string, seconds: number): void {
  const name = basename(output, '.tar.gz')
  execFileSync(
    'tar',
    [
      '--create',
      '--gzip',
      '--file',
      output,
      '--sort=name',
      '--format=gnu',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=go=rX,u+rw',
      `--mtime=@${String(seconds)}`,
      `--transform=s,^${basename(app).replaceAll(/[.,&\\[\]*^$]/g, '\\$&')},${name},`,
      '--directory',
      dirname(app),
      basename(app),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
}
