import { execFileSync } from 'node:child_process'
import { copyFileSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { PackageRequest } from './package-request.ts'
import { pathsBelow, stageFiles } from './staged-files.ts'

/** Folders of the system, which other packages own too. */
const SHARED = /^\/(?:opt|usr(?:\/.*)?)$/

/**
 * Builds an rpm with rpmbuild.
 * @param folder an empty folder
 */
export function buildRpm(request: PackageRequest, folder: string): void {
  const staged = join(folder, 'staged')
  mkdirSync(staged)
  stageFiles(request.paths, staged)
  const files = pathsBelow(staged).flatMap((path) => {
    const installed = `/${relative(staged, path)}`
    if (!lstatSync(path).isDirectory()) return `"${escapeMacros(installed)}"`
    return SHARED.test(installed) ? [] : `%dir "${escapeMacros(installed)}"`
  })
  const spec = join(folder, 'package.spec')
  writeFileSync(spec, specOf(request, staged, files))
  execFileSync(
    'rpmbuild',
    ['-bb', '--quiet', '--target', request.architecture, '--define', `_topdir ${join(folder, 'top')}`, spec],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  copyFileSync(join(folder, 'top', 'built.rpm'), request.output)
}

function specOf(request: PackageRequest, staged: string, files: readonly string[]): string {
  const script = (path: string): string => escapeMacros(readFileSync(path, 'utf8').trim())
  const requires = request.depends.map((name) => `Requires: ${escapeMacros(name)}\n`).join('')
  // Nothing changes the files of Electron, and no name of its libraries is offered to other packages.
  return `%global __os_install_post %{nil}
%global _build_id_links none
%global debug_package %{nil}
%global _binary_payload ${request.isCompressed ? 'w6T0.xzdio' : 'w.ufdio'}
%global _rpmdir %{_topdir}
%global _build_name_fmt built.rpm
%global _buildhost localhost
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1

Name: ${request.name}
Version: ${request.version}
Release: 1
Summary: ${escapeMacros(request.summary)}
License: ${escapeMacros(request.license)}
Vendor: ${escapeMacros(request.vendor)}
Packager: ${escapeMacros(request.maintainer)}
URL: ${escapeMacros(request.url)}
AutoReqProv: no
${requires}
%description
${escapeMacros(request.description)}

%install
mkdir -p "%{buildroot}"
cp -a "${escapeMacros(staged)}/." "%{buildroot}/"

%post -p /bin/bash
${script(request.afterInstall)}

%postun -p /bin/bash
# After an upgrade this runs too, with the number of versions that are left.
[ "$1" = 0 ] || exit 0
${script(request.afterRemove)}

%files
%defattr(-,root,root,-)
${files.join('\n')}
`
}

/** A percent sign begins a macro, also in a script. */
function escapeMacros(text: string): string {
  return text.replaceAll('%', '%%')
}
