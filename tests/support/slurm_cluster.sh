#!/bin/bash
# Runs a command on a cluster of this computer: Slurm with two nodes, n1 and n2, of two processors each, in name spaces
# of their own, so that nothing outside sees it. All of it ends with the command.
#
#   slurm_cluster.sh WORK COMMAND...   WORK: an empty folder for logs. Exit status 77: the computer does not allow it
set -u
work=$1
shift
if [ "${SLURM_CLUSTER_INSIDE:-}" = "" ]; then
  for program in slurmctld slurmd munged unshare ip; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
  done
  unshare --fork --pid --mount --uts --ipc --net true 2>/dev/null || { echo "skipped: unshare is not permitted"; exit 77; }
  export SLURM_CLUSTER_INSIDE=1
  exec unshare --fork --pid --mount --uts --ipc --net --kill-child=KILL "$0" "$work" "$@"
fi

set -e
export PATH=$PATH:/usr/sbin
mount -t proc proc /proc
ip link set lo up
ip addr add 127.0.0.2/8 dev lo # with 127.0.0.1 alone Slurm does not find its own name
hostname lab
printf '127.0.0.1 localhost\n127.0.0.2 lab\n' >"$work/hosts"
mount --bind "$work/hosts" /etc/hosts
mkdir -p /etc/slurm /etc/munge
for folder in /etc/slurm /etc/munge /run /var/spool /var/log; do mount -t tmpfs tmpfs $folder; done
mkdir -p /run/munge /var/spool/slurmctld /var/spool/slurmd.n1 /var/spool/slurmd.n2 /var/log/slurm /var/log/munge
dd if=/dev/urandom of=/etc/munge/munge.key bs=1024 count=1 2>/dev/null
chown -R munge /etc/munge /run/munge /var/log/munge
chmod 400 /etc/munge/munge.key
chmod 755 /run/munge
cat >/etc/slurm/slurm.conf <<'CONF'
ClusterName=lab
SlurmctldHost=lab
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=cred_expire=10
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd.%n
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.%n.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.%n.log
SlurmctldPort=16817
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=5
KillWait=2
SchedulerParameters=sched_min_interval=200000,batch_sched_delay=0,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobRequeue=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MaxArraySize=10001
NodeName=n1 NodeHostname=lab NodeAddr=lab Port=16901 CPUs=2 RealMemory=1000
NodeName=n2 NodeHostname=lab NodeAddr=lab Port=16902 CPUs=2 RealMemory=1000
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=60 State=UP
CONF
echo 'CgroupPlugin=cgroup/v1' >/etc/slurm/cgroup.conf
runuser -u munge -- /usr/sbin/munged >"$work/munged.log" 2>&1
slurmctld >"$work/slurmctld.log" 2>&1
slurmd -N n1 >"$work/n1.log" 2>&1
slurmd -N n2 >"$work/n2.log" 2>&1
for _ in $(seq 100); do
  [ "$(sinfo -h -t idle -o %D 2>/dev/null)" != 2 ] || break
  sleep 0.1
done
set +e
"$@"
status=$?
cp /var/log/slurm/* "$work" 2>/dev/null
exit $status
