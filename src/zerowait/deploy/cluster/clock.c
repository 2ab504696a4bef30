/* The clock of a controller under test: time() as a small file says, and its pauses shorter.
 *
 * Slurm reads time() for what users see: submit, start, end, limits, ages. Its threads pause by
 * real time, a second between passes of back-filling: at 600 times the speed that would be ten
 * minutes. So pauses, and waits with a time limit, are shortened by `pace`; other clocks stay real.
 *
 * The file is mapped, so that it can be changed while the controller runs, and a restarted
 * controller goes on with the same time.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LONGEST_PAUSE 60.0 /* what ends later was computed from time(), and is left alone */

struct face {
    double began; /* real time from which on it runs at its own speed */
    double speed;
    double offset; /* seconds that it was put forward */
    double pace;   /* how many times shorter pauses are */
};

static const volatile struct face *face;

__attribute__((constructor)) static void open_face(void)
{
    const char *path = getenv("ZEROWAIT_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *map;

    if (file < 0)
        return;
    map = mmap(NULL, sizeof(struct face), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (map != MAP_FAILED)
        face = map;
}

static double real_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

time_t time(time_t *result)
{
    double now = real_now();

    if (face)
        now = face->began + (now - face->began) * face->speed + face->offset;
    if (result)
        *result = (time_t)now;
    return (time_t)now;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *end)
{
    double now = real_now();
    double left = (double)end->tv_sec + 1e-9 * (double)end->tv_nsec - now;
    struct timespec sooner = *end;

    if (face && left > 0 && left < LONGEST_PAUSE) {
        double moved = now + left / face->pace;
        sooner.tv_sec = (time_t)moved;
        sooner.tv_nsec = (long)(1e9 * (moved - (double)sooner.tv_sec));
    }
    return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &sooner);
}

int usleep(useconds_t pause)
{
    double left = 1e-6 * (double)pause / (face ? face->pace : 1.0);
    struct timespec sooner = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};

    return nanosleep(&sooner, NULL);
}
