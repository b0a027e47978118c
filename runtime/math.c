/* <math.h>: the logarithm of the gamma function leaves its sign in a variable. All else is the machine's. */
#include "runtime.h"

#include <math.h>

int signgam;

double lgamma(double x) {
    return lgamma_r(x, &signgam);
}

float lgammaf(float x) {
    return lgammaf_r(x, &signgam);
}

double gamma(double x) {
    return lgamma(x);
}

float gammaf(float x) {
    return lgammaf(x);
}
