# systemd itself finds nothing wrong with the units
needs: systemd-analyze
ignore: **/runtime/systemd
-- a 100% $odd folder/runtime/keep --
== run ==
$ cd a*r && nanoclaw service install --print >nanoclaw.service && XDG_RUNTIME_DIR=$PWD/runtime systemd-analyze verify --user --man=no ./nanoclaw.service
$ cd a*r && nanoclaw service install --system --print >nanoclaw.service && systemd-analyze verify --system --man=no ./nanoclaw.service
$ sed -n '/^NoNew/,$p' a*/nanoclaw.service; rm a*/nanoclaw.service
> NoNewPrivileges=yes
> LockPersonality=yes
> RestrictRealtime=yes
> RestrictSUIDSGID=yes
> SystemCallArchitectures=native
> UMask=0077
> CapabilityBoundingSet=
> PrivateDevices=yes
> PrivateTmp=yes
> ProtectClock=yes
> ProtectControlGroups=yes
> ProtectHostname=yes
> ProtectKernelModules=yes
> ProtectSystem=full
>
> [Install]
> WantedBy=multi-user.target
